import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Denied } from '../../functions/authorizer/denied.ts';
import type { DenialReason } from '../../functions/shared/log-events.ts';
import { cachedJwks } from '../../functions/authorizer/jwks.ts';
import { verifySignature } from '../../functions/authorizer/signed-token.ts';
import { algorithms } from '../../functions/authorizer/key-set.ts';
import { recordingLog } from '../support/recording-log.ts';
import { ecKey } from '../support/tokens.ts';

const key = z.looseObject({ kty: z.string() });
const { testGroups } = z
  .object({
    testGroups: z.array(
      z.object({
        comment: z.string(),
        /** A symmetric key has no public key. */
        private: key,
        public: key.optional(),
        tests: z.array(
          z.object({
            tcId: z.number(),
            comment: z.string(),
            jws: z.string(),
            result: z.enum(['valid', 'invalid']),
            flags: z.array(z.string()),
          }),
        ),
      }),
    ),
  })
  .parse(
    JSON.parse(readFileSync(new URL('wycheproof/json_web_signature_test.json', import.meta.url), 'utf8')),
  );

/** So that a key set has a usable key, where the vector's key is not. */
const otherKey = ecKey('other');

/** Vectors that are valid, but denied. */
interface WrongDeny {
  readonly ids: readonly number[];
  readonly reason: DenialReason;
  readonly because: string;
}

const wrongDenies: readonly WrongDeny[] = [
  {
    ids: [259, 264, 268, 272, 320, 325],
    reason: 'not-a-signed-token',
    because: 'an access token has claims, so its payload is never empty',
  },
  {
    ids: [372, 373],
    reason: 'not-a-signed-token',
    because: 'a lenient decoder skips characters outside base64url, so one token would have many texts',
  },
  {
    ids: [1, 348, 352, 357, 358, 359, 376, 377],
    reason: 'algorithm',
    because: 'HS256 is symmetric: anyone who can verify a token can make one',
  },
  {
    ids: [
      265, 266, 267, 269, 270, 271, 273, 274, 275, 287, 288, 321, 322, 323, 326, 327, 328, 346, 347, 350, 351,
    ],
    reason: 'algorithm',
    because: 'RS384, RS512, PS256, PS384, PS512 and ES512 are not supported',
  },
];

describe('Wycheproof:', () => {
  describe.each(testGroups)('a token for the key $comment', ({ tests, ...keys }) => {
    /** The payload of an accepted token, or the reason of a denial. */
    const verdict = async (jws: string): Promise<string> => {
      const jwks = cachedJwks({
        algorithms,
        fetchJwks: () => Promise.resolve({ keys: [keys.public ?? keys.private, otherKey.jwk] }),
        now: () => 0,
        log: recordingLog(),
      });
      try {
        const { payload } = await verifySignature(jws, algorithms, jwks);
        return `accepted ${Buffer.from(payload).toString('base64url')}`;
      } catch (error) {
        if (error instanceof Denied) return error.reason;
        throw error;
      }
    };
    const accepted = (jws: string): string => `accepted ${jws.split('.')[1] ?? ''}`;

    const vectors = tests.map((vector) => ({
      ...vector,
      wrongDeny: wrongDenies.find(({ ids }) => ids.includes(vector.tcId)),
    }));

    const valid = vectors.filter(({ result, wrongDeny }) => result === 'valid' && wrongDeny === undefined);
    it.each(valid)('is accepted: $tcId $comment', async ({ jws }) => {
      expect(await verdict(jws)).toBe(accepted(jws));
    });

    const wronglyDenied = vectors.flatMap(({ wrongDeny, ...vector }) =>
      wrongDeny === undefined ? [] : [{ ...vector, ...wrongDeny }],
    );
    it.each(wronglyDenied)('is denied though valid, for $because: $tcId', async ({ jws, result, reason }) => {
      expect([result, await verdict(jws)]).toEqual(['valid', reason]);
    });

    const invalid = vectors.filter(({ result }) => result === 'invalid');
    it.each(invalid)('is denied: $tcId $comment', async ({ jws, flags }) => {
      const actual = await verdict(jws);
      expect(actual).not.toMatch(/^accepted/);
      // These are valid but for the signature, so any other reason means that it was not verified.
      if (flags.includes('ModifiedPadding') || flags.includes('ModifiedSignature')) {
        expect(actual).toBeOneOf(['signature', 'algorithm']);
      }
    });
  });
});
