import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import type { Jwks } from '../../../functions/authorizer/jwks.ts';
import { algorithms, parseKeySet } from '../../../functions/authorizer/key-set.ts';
import { verifySignature } from '../../../functions/authorizer/signed-token.ts';
import { ecKey, edKey, rsaKey, signToken } from '../../support/tokens.ts';

const [rsa, ec, ed] = [rsaKey('rsa'), ecKey('ec'), edKey('ed')];
const claims = { sub: 'alice' };
const payload = Buffer.from(JSON.stringify(claims));

/** The keys that the authorizer holds, and those that a fetch brings. */
const jwksOf = (current: readonly JsonObject[], latest: readonly JsonObject[] = current): Jwks => {
  const keysIn = (keys: readonly JsonObject[]) => () => Promise.resolve(parseKeySet({ keys }, algorithms));
  return { current: keysIn(current), latest: keysIn(latest), preload: keysIn(current) };
};

describe('a signed token', () => {
  it.each([
    ['RS256', rsa],
    ['ES256', ec],
    ['EdDSA', ed],
  ])('is accepted with %s, unless the stage does not allow it', async (alg, key) => {
    const jwks = jwksOf([rsa.jwk, ec.jwk, ed.jwk]);
    const token = signToken(key, { typ: 'at+jwt' }, claims);
    const header = { alg, kid: key.kid, typ: 'at+jwt' };
    expect(await verifySignature(token, algorithms, jwks)).toEqual({ header, payload });
    const others = algorithms.filter((each) => each !== alg);
    await expect(verifySignature(token, others, jwks)).rejects.toMatchObject({ reason: 'algorithm' });
  });

  it.each([
    ['unknown, with its id, when neither copy nor issuer has it', { kid: 'new' }, 'unknown-key', 'new'],
    ['unknown without an id, even if a key of another type has none', {}, 'unknown-key', undefined],
    ['the cause, by what the issuer publishes now', { kid: 'later' }, 'unusable-key', 'later'],
  ])('is denied when its key is %s', async (_, { kid }: { kid?: string }, reason, logged) => {
    const unnamed = { ...ec.jwk, kid: undefined };
    const jwks = jwksOf([unnamed], [unnamed, { ...rsa.jwk, use: 'enc', kid: 'later' }]);
    const token = signToken(rsa, { kid }, claims);
    await expect(verifySignature(token, algorithms, jwks)).rejects.toMatchObject({ reason, kid: logged });
  });
});
