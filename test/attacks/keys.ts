import type { JsonObject } from '../../functions/runtime/json-object.ts';
import type { Issuer } from '../support/issuer.ts';
import { ecKey, edKey, keysOfAllAlgorithms, rsaKey } from '../support/signing-keys.ts';

export const issuersEcKey = ecKey('ec-1');
export const issuersEdKey = edKey('ed-1');
/** An RSA key that the authorizer must not use, because it has only 1,024 bits. */
export const issuersWeakKey = rsaKey('weak-1', 1024);

/** The JWKS of an issuer, which signs with `key`, but publishes more keys. */
export const jwksOf = ({ key }: Issuer): JsonObject => ({
  keys: [key, issuersEcKey, issuersEdKey, issuersWeakKey, ...keysOfAllAlgorithms].map(({ jwk }) => jwk),
});

/** The attacker's key, which no issuer publishes. */
export const attackersKey = rsaKey('attacker-1');
