import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Denied } from '../../../functions/authorizer/denied.ts';
import type { DenialReason } from '../../../functions/shared/log-events.ts';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import type { Jwks } from '../../../functions/authorizer/jwks.ts';
import { parseKeySet } from '../../../functions/authorizer/key-set.ts';
import { type SignedToken, verifyToken } from '../../../functions/authorizer/signed-token.ts';
import { type Algorithm, algorithms } from '../../../functions/authorizer/key-set.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { ecKey, edKey, rsaKey, type SigningKey, signToken } from '../../support/tokens.ts';

const rsa = rsaKey('rsa');
const ec = ecKey('ec');
const ed = edKey('ed');
const stranger = rsaKey('rsa');
const claims = { sub: 'alice' };

/** The keys that the authorizer holds, and those that a fetch brings. */
const jwksOf = (current: readonly JsonObject[], latest: readonly JsonObject[] = current): Jwks => {
  const held = parseKeySet({ keys: current }, algorithms);
  const fetched = latest === current ? held : parseKeySet({ keys: latest }, algorithms);
  return { current: () => Promise.resolve(held), latest: () => Promise.resolve(fetched) };
};

const failure = new Error('down');
/** Keys of an issuer that is down. */
const heldOnly = (...keys: readonly JsonObject[]): Jwks => ({
  ...jwksOf(keys),
  latest: () => Promise.reject(failure),
});

const verifyWith = (
  jwks: Jwks,
  token: string,
  allowed: readonly Algorithm[] = algorithms,
): Promise<SignedToken> => verifyToken(token, allowed, jwks);

const denied = (reason: DenialReason, kid?: string): Denied => new Denied(reason, kid);

describe('a signed token', () => {
  const keys: readonly [Algorithm, SigningKey][] = [
    ['RS256', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ];
  const jwks = jwksOf([rsa.jwk, ec.jwk, ed.jwk]);

  it.each(keys)('is accepted with %s', async (alg, key) => {
    expect(await verifyWith(jwks, signToken(key, { typ: 'at+jwt' }, claims))).toEqual({
      header: { alg, kid: key.kid, typ: 'at+jwt' },
      claims,
    });
  });

  it.each(keys)('is denied when %s is not among the algorithms', async (alg, key) => {
    const others = algorithms.filter((each) => each !== alg);
    await expect(verifyWith(jwks, signToken(key, {}, claims), others)).rejects.toThrow(denied('algorithm'));
  });

  it('is denied when the issuer publishes its key for another use', async () => {
    const forEncryption = jwksOf([{ ...rsa.jwk, use: 'enc' }, ec.jwk]);
    const error: unknown = await verifyWith(forEncryption, signToken(rsa, {}, claims)).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ reason: 'unusable-key', kid: 'rsa' });
  });
});

describe('the keys of a token', () => {
  it.each<[string, SigningKey]>([
    ['the first', rsa],
    ['the second', stranger],
  ])('are each tried when several have its id: %s', async (_, key) => {
    const jwks = heldOnly(rsa.jwk, stranger.jwk);
    expect((await verifyWith(jwks, signToken(key, {}, claims))).claims).toEqual(claims);
  });

  it.each<[string, SigningKey]>([
    ['the first', rsa],
    ['the second', stranger],
  ])('are each tried when it has no id: %s', async (_, key) => {
    const jwks = heldOnly(rsa.jwk, ec.jwk, stranger.jwk);
    expect((await verifyWith(jwks, signToken(key, { kid: undefined }, claims))).claims).toEqual(claims);
  });

  it.each<[string, JsonObject]>([
    ['its id', {}],
    ['no id and no key that fits', { kid: undefined }],
  ])(
    'are fetched again when the authorizer holds an older copy, which does not have %s',
    async (_, header) => {
      const token = signToken(ec, header, claims);
      expect((await verifyWith(jwksOf([rsa.jwk], [ec.jwk]), token)).claims).toEqual(claims);
      await expect(verifyWith(heldOnly(rsa.jwk, ecKey('other').jwk), token)).rejects.toBe(failure);
    },
  );

  it('are not fetched again for a bad signature of a key that the copy has', async () => {
    const token = signToken(stranger, {}, claims);
    await expect(verifyWith(heldOnly(rsa.jwk), token)).rejects.toThrow(denied('signature'));
  });

  it('are unknown when the issuer does not publish them either', async () => {
    const token = signToken(rsa, { kid: 'made-up' }, claims);
    await expect(verifyWith(jwksOf([rsa.jwk], [ec.jwk]), token)).rejects.toMatchObject({
      reason: 'unknown-key',
      kid: 'made-up',
    });
  });

  it('are unknown when it has no id and none fits, even if another key has no id either', async () => {
    const token = signToken(rsa, { kid: undefined }, claims);
    const jwks = jwksOf([{ ...ec.jwk, kid: undefined }]);
    await expect(verifyWith(jwks, token)).rejects.toThrow(denied('unknown-key'));
  });
});

describe('the key id in a denial', () => {
  it.each([
    ['printable', 'rsa-2 ~', 'rsa-2 ~'],
    ['cut after 64 characters', 'x'.repeat(65), 'x'.repeat(64)],
    ['without control characters and escapes', 'a\n\r\u001b[2Kb\u0000', 'a???[2Kb?'],
    ['without letters that look alike or turn the text', 'а\u202ekid\u007f', '??kid?'],
  ])('is %s', (_, kid, logged) => {
    expect(denied('unknown-key', kid).kid).toBe(logged);
  });
});

describe('a key URL in a token', () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.end(JSON.stringify({ keys: [stranger.jwk] }));
  });
  let url: string;
  beforeAll(async () => {
    url = await startServer(server);
  });
  afterAll(() => stopServer(server));

  it.each(['jku', 'x5u'])('is not fetched: %s', async (field) => {
    const jwks = jwksOf([rsa.jwk]);
    expect((await verifyWith(jwks, signToken(rsa, { [field]: url }, claims))).claims).toEqual(claims);
    await expect(verifyWith(jwks, signToken(stranger, { [field]: url, kid: 'new' }, claims))).rejects.toThrow(
      denied('unknown-key', 'new'),
    );
    expect(requests).toBe(0);
  });
});
