import { createHash } from 'node:crypto';

export const redirectUri = 'https://app.example.com/signed-in';
const verifier = 'a-code-verifier-of-43-characters-or-more-please';

/**
 * Signs in with an authorization code and PKCE (RFC 7636), with cookies as a browser does.
 * @returns the fields of the request for tokens
 */
export const authorizationCode = async (
  endpoint: string,
  fields: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> => {
  const request = new URLSearchParams({
    ...fields,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const cookies = new Map<string, string>();
  let url = new URL(`${endpoint}?${request.toString()}`);
  while (!url.href.startsWith(redirectUri)) {
    const headers = { cookie: [...cookies.values()].join('; ') };
    const response = await fetch(url, { redirect: 'manual', headers });
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The sign-in ended at ${url.href}: ${await response.text()}`);
    for (const each of response.headers.getSetCookie()) {
      const [pair = ''] = each.split(';');
      cookies.set(pair.split('=')[0] ?? '', pair);
    }
    url = new URL(location, url);
  }
  const code = url.searchParams.get('code') ?? '';
  return { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri };
};
