import { describe, expect, it } from 'vitest';
import { corpus } from '../attacks/corpus.ts';
import { now } from '../attacks/entry.ts';
import { type ServiceResponse, send } from './client.ts';
import { getWith, newName, plantsIn } from './plants.ts';
import type { Target } from './target.ts';

const sent = Object.values(corpus).flatMap((entries) => entries.filter((entry) => entry.sent));

export const describeAccess = (target: () => Target): void => {
  const expectDenied = ({ status, body }: ServiceResponse): void => {
    expect([status, body]).toEqual(target().gateway.forbidden);
  };

  it.each(sent)('says to $name: $expected', async ({ authorization, expected }) => {
    const header = authorization(target().issuer);
    const answer = await send(
      target().baseUrl,
      '/plants',
      header === undefined ? {} : { authorization: header },
    );
    switch (expected) {
      case 'allowed':
        expect(plantsIn(answer)).toEqual([]);
        break;
      case 'no-identity':
        expect([answer.status, answer.body]).toEqual([401, { message: 'Unauthorized' }]);
        break;
      default:
        expectDenied(answer);
    }
  });

  it('turns away a caller whose token has run out since it was accepted', async () => {
    const authorization = `Bearer ${target().issuer.token({ claims: { exp: now() + 5 } })}`;
    const ask = (): Promise<ServiceResponse> => send(target().baseUrl, '/plants', { authorization });
    expect((await ask()).status).toBe(200);
    await expect.poll(async () => (await ask()).status, { interval: 500, timeout: 20_000 }).not.toBe(200);
    // The function says so behind a gateway that kept the answer, the authorizer behind one that did not.
    const answer = await ask();
    if (answer.status === 401) expect(answer).toMatchObject({ body: { error: 1004 } });
    else expectDenied(answer);
  });

  describe('a token’s claims', () => {
    it('never show in an answer', async () => {
      const sub = newName('secret');
      const answer = await getWith(target(), { claims: { sub, aud: 'another-api' } });
      expect(JSON.stringify([answer.body, answer.headers])).not.toContain(sub);
    });
  });
};
