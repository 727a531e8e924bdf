import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkAuthorizer } from '../../../functions/pre-traffic-hook/check-authorizer.ts';
import type { Invocation, Invoke } from '../../../functions/pre-traffic-hook/invocation.ts';
import { partsOf, textOf } from '../../support/tokens.ts';

const eventSchema = z.object({ identitySource: z.tuple([z.string().startsWith('Bearer ')]) });
const denied = { isAuthorized: false };

/** The key id of the token in an event. */
const kidIn = (event: object): string => {
  const [credential] = eventSchema.parse(event).identitySource;
  const [header] = partsOf(credential.replace('Bearer ', ''));
  return z.object({ kid: z.string() }).parse(JSON.parse(textOf(header))).kid;
};

/** An authorizer that answers each event in this way. */
const authorizer =
  (answer: (kid: string) => Partial<Invocation>): Invoke =>
  (event) =>
    Promise.resolve({ result: denied, entries: [], ...answer(kidIn(event)) });

const unknownKey = (kid: unknown): object => ({ event: 'denied', reason: 'unknown-key', kid });

describe('the check of the authorizer', () => {
  it('is passed by a denial because of the unknown key', async () => {
    const version = authorizer((kid) => ({
      entries: [undefined, 'text', { event: 'other' }, unknownKey(kid)],
    }));
    expect(await checkAuthorizer(version, 'ES256')).toBeUndefined();
  });

  it('sends the gateway’s event with a token of the stage’s algorithm and another key id each time', async () => {
    const headers: unknown[] = [];
    const version: Invoke = (event) => {
      expect(event).toMatchObject({ version: '2.0', type: 'REQUEST' });
      const [header, claims] = partsOf(eventSchema.parse(event).identitySource[0].replace('Bearer ', ''));
      expect(textOf(claims)).toBe('{}');
      headers.push(JSON.parse(textOf(header)));
      return Promise.resolve({ result: denied, entries: [] });
    };
    await checkAuthorizer(version, 'ES256');
    await checkAuthorizer(version, 'ES256');
    expect(headers).toMatchObject([{ alg: 'ES256', typ: 'at+jwt' }, { alg: 'ES256' }]);
    expect(headers[0]).not.toEqual(headers[1]);
  });

  it.each([
    ['it failed', () => ({ error: 'TypeError' }), { problem: 'function-error', cause: 'TypeError' }],
    ['it allowed the token', () => ({ result: { isAuthorized: true } }), { problem: 'not-denied' }],
    ['it returned nothing', () => ({ result: null }), { problem: 'not-denied' }],
    [
      'it denied for another reason',
      (kid: string) => ({ entries: [{ event: 'denied', reason: 'algorithm', kid }] }),
      { problem: 'denied-for-another-reason', cause: 'algorithm' },
    ],
    [
      'its log has the denial of another token only',
      () => ({ entries: [unknownKey('other')] }),
      { problem: 'denied-for-another-reason', cause: 'unknown-key' },
    ],
    [
      'its log has no denial',
      (kid: string) => ({ entries: [{ ...unknownKey(kid), event: 'warm-up-failed' }] }),
      { problem: 'denied-for-another-reason', cause: '' },
    ],
  ])('is not passed when %s', async (_, answer, problem) => {
    expect(await checkAuthorizer(authorizer(answer), 'RS256')).toEqual(problem);
  });
});
