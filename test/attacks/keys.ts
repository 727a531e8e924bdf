import type { JsonObject } from '../../functions/runtime/json-object.ts';
import type { Issuer } from '../support/issuer.ts';
import { ecKey, edKey, keysOfAllAlgorithms, rsaKey } from '../support/tokens.ts';

export const ec = ecKey('ec-1');
export const ed = edKey('ed-1');
/** RSA of 1,024 bits. */
export const weak = rsaKey('weak-1', 1024);

/** The JWKS of the issuer in process. It also contains a key that the authorizer must not use. */
export const jwksOf = ({ key }: Issuer): JsonObject => ({
  keys: [key, ec, ed, weak, ...keysOfAllAlgorithms].map(({ jwk }) => jwk),
});

/** The attacker's key, which no issuer publishes. */
export const attackerRsa = rsaKey('attacker-1');
