import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Caller } from '../../functions/shared/caller-context.ts';

/** A token issuer for one run. */
export interface Issuer {
  readonly name: string;
  readonly audience: string;
  /** The public keys (RFC 7517) as JSON text. */
  readonly jwks: string;
  /** Signs an access token (RFC 9068). */
  readonly sign: (caller: Caller) => Promise<string>;
}

const algorithm = 'RS256';
const kid = 'benchmark';

export const makeIssuer = async (): Promise<Issuer> => {
  const name = 'https://issuer.example.com';
  const audience = 'plant-store';
  const { publicKey, privateKey } = await generateKeyPair(algorithm);
  return {
    name,
    audience,
    jwks: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' }] }),
    sign: ({ subject, groups, expiresAt }) =>
      new SignJWT({ client_id: 'benchmark', groups })
        .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid })
        .setIssuer(name)
        .setAudience(audience)
        .setSubject(subject)
        .setJti(crypto.randomUUID())
        .setIssuedAt()
        .setExpirationTime(expiresAt)
        .sign(privateKey),
  };
};
