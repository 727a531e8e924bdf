import { z } from 'zod';
import { ecKey } from '../../support/signing-keys.ts';
import { signToken } from '../../support/tokens.ts';
import type { Grant } from './issuer-under-test.ts';

const responseSchema = z.object({
  access_token: z.string(),
  id_token: z.string().default(''),
  refresh_token: z.string().default(''),
});

/**
 * Requests tokens from a token endpoint (RFC 6749 section 3.2).
 * @throws {Error} when the issuer refuses
 */
export const requestTokens = async (
  endpoint: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Grant> => {
  const response = await fetch(endpoint, { method: 'POST', body: new URLSearchParams(fields), headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`The issuer responded with ${String(response.status)}: ${text}`);
  const tokens = responseSchema.parse(JSON.parse(text));
  return { access: tokens.access_token, id: tokens.id_token, refresh: tokens.refresh_token };
};

/**
 * The header DPoP of a token request, with which the issuer binds the tokens to a key (RFC 9449 section 5).
 */
export const proofOfPossession = (endpoint: string): { readonly DPoP: string } => {
  const key = ecKey('proof');
  const claims = {
    htm: 'POST',
    htu: endpoint,
    iat: Math.floor(Date.now() / 1000),
    jti: crypto.randomUUID(),
  };
  return { DPoP: signToken(key, { typ: 'dpop+jwt', jwk: key.jwk }, claims) };
};
