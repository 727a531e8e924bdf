import type { JsonObject } from '../../functions/authorizer/json-object.ts';
import type { Issuer } from '../support/issuer.ts';
import { ecKey, edKey, rsaKey, secretKey } from '../support/tokens.ts';

export const ec = ecKey('ec-1');
export const ed = edKey('ed-1');
/** RSA of 1,024 bits. */
export const weak = rsaKey('weak-1', 1024);
export const secret = secretKey('secret-1', 'a secret that should be nobody’s');

/** What the issuer publishes in process: also keys that must not be used. */
export const keySetOf = ({ key }: Issuer): JsonObject => ({
  keys: [key, ec, ed, weak, secret].map(({ jwk }) => jwk),
});

/** The attacker's own; no issuer publishes them. */
export const stranger = rsaKey('stranger-1');
export const ecStranger = ecKey('ec-1');
export const edStranger = edKey('ed-1');
