import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Denied } from '../../functions/authorizer/denied.ts';
import { jwksCache } from '../../functions/authorizer/jwks.ts';
import { algorithms } from '../../functions/authorizer/key-set.ts';
import { verifySignature } from '../../functions/authorizer/signed-token.ts';
import { recordingLog } from '../support/recording-log.ts';
import { ecKey } from '../support/tokens.ts';

const key = z.looseObject({ kty: z.string() });
const vector = z.object({
  tcId: z.number(),
  comment: z.string(),
  jws: z.string(),
  result: z.enum(['valid', 'invalid']),
  flags: z.array(z.string()),
});
const group = z.object({
  comment: z.string(),
  /** A symmetric key has no public key. */
  private: key,
  public: key.optional(),
  tests: z.array(vector),
});
const { testGroups } = z
  .object({ testGroups: z.array(group) })
  .parse(
    JSON.parse(readFileSync(new URL('wycheproof/json_web_signature_test.json', import.meta.url), 'utf8')),
  );

/** Makes the key set usable even if the vector's key is not. */
const otherKey = ecKey('other');

/** Valid vectors that are denied, with the reason. */
const validButDenied = [
  // An access token has claims, so its payload is never empty.
  { ids: [259, 264, 268, 272, 320, 325], reason: 'not-a-signed-token' },
  // A lenient decoder skips characters outside base64url, so one token would have many texts.
  { ids: [372, 373], reason: 'not-a-signed-token' },
  // HS256 is symmetric: anyone who can verify a token can make one.
  { ids: [1, 348, 352, 357, 358, 359, 376, 377], reason: 'algorithm' },
  // RS384, RS512, PS256, PS384, PS512 and ES512 are not supported.
  { ids: [265, 266, 267, 269, 270, 271, 273, 274, 275, 287, 288], reason: 'algorithm' },
  { ids: [321, 322, 323, 326, 327, 328, 346, 347, 350, 351], reason: 'algorithm' },
];

/** The expected verdict on a vector: its payload is accepted, or it is denied for one of these reasons. */
const expectedOf = ({ tcId, jws, result, flags }: z.infer<typeof vector>): RegExp => {
  const denied = validButDenied.find(({ ids }) => ids.includes(tcId));
  if (denied !== undefined) return new RegExp(`^${denied.reason}$`);
  if (result === 'valid') return new RegExp(`^accepted ${jws.split('.')[1] ?? ''}$`);
  // These are valid except for the signature, so any other reason means that it was not verified.
  const isSigned = flags.includes('ModifiedPadding') || flags.includes('ModifiedSignature');
  return isSigned ? /^(?:signature|algorithm)$/ : /^(?!accepted)/;
};

describe.each(testGroups)('a token for the key $comment of Wycheproof', ({ tests, ...keys }) => {
  const verdict = async (jws: string): Promise<string> => {
    const jwks = jwksCache({
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

  it.each(tests)('is accepted only if valid and supported: $result vector $tcId, $comment', async (each) => {
    expect(await verdict(each.jws)).toMatch(expectedOf(each));
  });
});

it('the list of valid vectors that are denied has no invalid one', () => {
  const listed = validButDenied.flatMap(({ ids }) => ids);
  const valid = testGroups.flatMap(({ tests }) => tests.filter(({ result }) => result === 'valid'));
  expect(valid.filter(({ tcId }) => listed.includes(tcId))).toHaveLength(listed.length);
});
