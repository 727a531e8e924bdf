// This file of jose loads faster than the whole package.
import { SignJWT } from 'jose/jwt/sign';
import { algorithm, type SigningKey } from './signing-key.ts';

/**
 * Signs an access token of the RFC 9068 profile.
 * @param lifetime such as `60s`
 */
export const signToken = (
  key: SigningKey,
  claims: Readonly<Record<'iss' | 'aud' | 'sub', string>> & { readonly groups: readonly string[] },
  lifetime: string,
): Promise<string> =>
  new SignJWT({ ...claims, client_id: 'local', jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: algorithm, typ: 'at+jwt', kid: key.kid })
    .setIssuedAt()
    .setExpirationTime(lifetime)
    .sign(key);
