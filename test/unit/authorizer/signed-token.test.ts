import { expect, it } from 'vitest';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import type { JwksCache } from '../../../functions/authorizer/jwks.ts';
import { algorithms, parseKeySet } from '../../../functions/authorizer/key-set.ts';
import { verifySignature } from '../../../functions/authorizer/signed-token.ts';
import { ecKey, rsaKey, signToken } from '../../support/tokens.ts';

const [rsa, ec] = [rsaKey('rsa'), ecKey('ec')];

/** The cached keys, and those of the next fetch. */
const jwksOf = (current: readonly JsonObject[], latest: readonly JsonObject[]): JwksCache => {
  const keysIn = (keys: readonly JsonObject[]) => () => Promise.resolve(parseKeySet({ keys }, algorithms));
  return { current: keysIn(current), latest: keysIn(latest), preload: keysIn(current) };
};

it.each<[reason: string, condition: string, kid: string | undefined]>([
  ['unknown-key', 'neither the cached keys nor the latest have its key id', 'new'],
  ['unknown-key', 'it has no key id, even if a key of another type has none', undefined],
  ['unusable-key', 'the latest key with its key id is for encryption', 'later'],
])('a token is denied for %s when %s', async (reason, _, kid) => {
  const unnamed = { ...ec.jwk, kid: undefined };
  const jwks = jwksOf([unnamed], [unnamed, { ...rsa.jwk, use: 'enc', kid: 'later' }]);
  const token = signToken(rsa, { kid }, { sub: 'alice' });
  await expect(verifySignature(token, algorithms, jwks)).rejects.toMatchObject({ reason, kid });
});
