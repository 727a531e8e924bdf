import { createHash } from 'node:crypto';
import type { JsonObject } from '../../functions/shared/json-object.ts';
import type { Issuer } from '../support/issuer.ts';
import { ecKey, edKey, rsaKey, secretKey, type SigningKey } from '../support/tokens.ts';

export const ec = ecKey('ec-1');
export const ed = edKey('ed-1');
/** RSA of 1,024 bits. */
export const weak = rsaKey('weak-1', 1024);
export const secret = secretKey('secret-1', 'a secret that must not be published');

/** An RSA key with the exponent 1, whose signature is the padded hash itself (RFC 8017 section 9.2). */
const withExponentOne = (kid: string): SigningKey => {
  const { jwk } = rsaKey(kid);
  const sha256Prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex');
  return {
    alg: 'RS256',
    kid,
    jwk: { ...jwk, e: 'AQ' },
    privateJwk: jwk,
    sign: (input) => {
      const hash = createHash('sha256').update(input).digest();
      const padding = Buffer.alloc(256 - 3 - sha256Prefix.length - hash.length, 0xff);
      return Buffer.concat([Buffer.from([0, 1]), padding, Buffer.from([0]), sha256Prefix, hash]);
    },
  };
};
export const forgeable = withExponentOne('forgeable-1');

/** Keys whose private half the issuer publishes as well, without the public half. */
export const leakedRsa = rsaKey('leaked-rsa-1');
export const leakedEc = ecKey('leaked-ec-1');
export const leakedEd = edKey('leaked-ed-1');
const privateHalf = ({ privateJwk }: SigningKey): JsonObject => {
  const { kty, crv, d, p, q } = privateJwk;
  return { kty, crv, d, p, q };
};

/** The JWKS of the issuer in process. It also contains keys that the authorizer must not use. */
export const jwksOf = ({ key }: Issuer): JsonObject => ({
  keys: [
    ...[key, ec, ed, weak, secret, forgeable, leakedRsa, leakedEc, leakedEd].map(({ jwk }) => jwk),
    ...[leakedRsa, leakedEc, leakedEd].map(privateHalf),
  ],
});

/** The attacker's keys, which no issuer publishes. */
export const attackerRsa = rsaKey('attacker-1');
export const attackerEc = ecKey('ec-1');
export const attackerEd = edKey('ed-1');
