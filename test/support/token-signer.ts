import { CompactSign, importJWK, type JWK } from 'jose';
import type { TokenChanges } from '../contract/target.ts';

/**
 * Signs tokens as an issuer of the RFC 9068 profile does, good unless changed.
 * @param key the issuer's private key
 */
export const tokenSigner =
  (key: JWK, issuer: string, audience: string) =>
  async ({ header, claims }: TokenChanges = {}): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: issuer, aud: audience, sub: 'somebody', iat: now, exp: now + 600, ...claims };
    return new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: key.alg ?? 'RS256', typ: 'at+jwt', kid: key.kid ?? '', ...header })
      .sign(await importJWK(key), { crit: { exp: true } });
  };
