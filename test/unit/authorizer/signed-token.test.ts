import { expect, it } from 'vitest';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import type { Jwks } from '../../../functions/authorizer/jwks.ts';
import { algorithms, parseKeySet } from '../../../functions/authorizer/key-set.ts';
import { verifySignature } from '../../../functions/authorizer/signed-token.ts';
import { ecKey, rsaKey, signToken } from '../../support/tokens.ts';

const [rsa, ec] = [rsaKey('rsa'), ecKey('ec')];

/** The keys that the authorizer holds, and those that a fetch brings. */
const jwksOf = (current: readonly JsonObject[], latest: readonly JsonObject[]): Jwks => {
  const keysIn = (keys: readonly JsonObject[]) => () => Promise.resolve(parseKeySet({ keys }, algorithms));
  return { current: keysIn(current), latest: keysIn(latest), preload: keysIn(current) };
};

it.each([
  ['unknown, with its id, when neither copy nor issuer has it', { kid: 'new' }, 'unknown-key', 'new'],
  ['unknown without an id, even if a key of another type has none', {}, 'unknown-key', undefined],
  ['the cause, by what the issuer publishes now', { kid: 'later' }, 'unusable-key', 'later'],
])('a token is denied when its key is %s', async (_, { kid }: { kid?: string }, reason, logged) => {
  const unnamed = { ...ec.jwk, kid: undefined };
  const jwks = jwksOf([unnamed], [unnamed, { ...rsa.jwk, use: 'enc', kid: 'later' }]);
  const token = signToken(rsa, { kid }, { sub: 'alice' });
  await expect(verifySignature(token, algorithms, jwks)).rejects.toMatchObject({ reason, kid: logged });
});
