import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Grant, IssuerUnderTest } from './issuer-under-test.ts';
import { api, redirectUri, type RunningProvider, scope, startProvider } from './oidc-provider-server.ts';
import { expectTokens, proofOfPossession, requestTokens } from './token-endpoint.ts';
import { groups, username } from './user.ts';

const verifier = 'a-code-verifier-of-43-characters-or-more-please';
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** Private keys as the library takes them. */
const newKeys = (): readonly object[] => {
  const jwk = (alg: string, { privateKey }: { readonly privateKey: KeyObject }): object => ({
    ...privateKey.export({ format: 'jwk' }),
    alg,
    use: 'sig',
    kid: crypto.randomUUID(),
  });
  return [
    jwk('ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    jwk('EdDSA', generateKeyPairSync('ed25519')),
    jwk('RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })),
  ];
};

/** Follows the redirects of a sign-in, with cookies as a browser does, until the page gets its code. */
const codeFor = async (request: URL): Promise<string> => {
  const cookies = new Map<string, string>();
  let url = request;
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
  return url.searchParams.get('code') ?? '';
};

/** How the user signs in. */
interface SignIn {
  /** The id of the page's client. */
  readonly client?: string;
  /** What the access token is for (RFC 8707); empty: nothing but the user-info endpoint. */
  readonly resource?: string;
  readonly scopes?: string;
  /** Headers of the token request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly provider?: RunningProvider;
}

/** The library oidc-provider, with access tokens as in RFC 9068. */
export const oidcProvider = (): IssuerUnderTest => {
  const folder = process.env['OIDC_PROVIDER_FOLDER'] ?? '';
  let keys = newKeys();
  let plants: RunningProvider;
  let others: RunningProvider;

  const signIn = async ({
    client = 'page',
    resource = api,
    scopes = `openid ${scope}`,
    headers = {},
    provider: { url } = plants,
  }: SignIn = {}): Promise<Grant> => {
    const fields = {
      client_id: client,
      redirect_uri: redirectUri,
      ...(resource !== '' && { resource }),
    };
    const request = new URLSearchParams({
      ...fields,
      response_type: 'code',
      scope: scopes,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const code = await codeFor(new URL(`${url}/auth?${request.toString()}`));
    return expectTokens(
      `${url}/token`,
      { ...fields, grant_type: 'authorization_code', code, code_verifier: verifier },
      headers,
    );
  };

  return {
    name: 'oidc-provider',
    start: async () => {
      plants = await startProvider(folder, keys);
      others = await startProvider(folder, newKeys());
    },
    stop: async () => {
      await plants.stop();
      await others.stop();
    },
    record: () => ({
      profile: 'rfc9068',
      issuer: plants.url,
      jwksUri: `${plants.url}/jwks`,
      audience: api,
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      groupsClaim: 'groups',
      requiredScope: scope,
    }),
    caller: () => ({ subject: username, groups }),
    signIn: () => signIn(),
    refresh: async (refresh_token) => {
      const fields = { grant_type: 'refresh_token', client_id: 'page', refresh_token, resource: api };
      return (await requestTokens(`${plants.url}/token`, fields))?.access;
    },
    logOut: async ({ refresh }) => {
      const body = new URLSearchParams({ client_id: 'page', token: refresh });
      await fetch(`${plants.url}/token/revocation`, { method: 'POST', body });
    },
    allowed: [
      {
        name: 'an access token signed with EdDSA',
        token: async () => (await signIn({ resource: `${api}/eddsa` })).access,
      },
      {
        name: 'an access token that a client has in its own name',
        token: async () => {
          const fields = { grant_type: 'client_credentials', resource: api, scope };
          const credentials = { client_id: 'robot', client_secret: 'secret' };
          return (await expectTokens(`${plants.url}/token`, { ...fields, ...credentials })).access;
        },
        caller: { subject: 'robot', groups: [] },
      },
    ],
    refused: [
      { name: 'an ID token', reason: 'token-type', token: async () => (await signIn()).id },
      {
        name: 'an ID token of a client that is the API itself',
        reason: 'token-type',
        token: async () => (await signIn({ client: api })).id,
      },
      {
        name: 'a refresh token',
        reason: 'not-a-signed-token',
        token: async () => (await signIn()).refresh,
      },
      {
        name: 'an access token without a resource',
        reason: 'not-a-signed-token',
        token: async () => (await signIn({ resource: '' })).access,
      },
      {
        name: 'an access token for another resource',
        reason: 'audience',
        token: async () => (await signIn({ resource: 'https://animals.example.com' })).access,
      },
      {
        name: 'an access token without the required scope',
        reason: 'scope',
        token: async () => (await signIn({ scopes: 'openid' })).access,
      },
      {
        name: 'an access token of another issuer with the same settings',
        reason: 'unknown-key',
        token: async () => (await signIn({ provider: others })).access,
      },
      {
        name: 'an access token bound to a key',
        reason: 'key-bound',
        token: async () => (await signIn({ headers: proofOfPossession(`${plants.url}/token`) })).access,
      },
      {
        name: 'a signed response of the user-info endpoint',
        reason: 'token-type',
        token: async () => {
          const { access } = await signIn({ client: 'page-with-signed-user-info', resource: '' });
          const headers = { authorization: `Bearer ${access}` };
          return (await fetch(`${plants.url}/me`, { headers })).text();
        },
      },
    ],
    rotation: {
      addKey: () => {
        keys = [...newKeys(), ...keys];
        plants.restart(keys);
      },
      withdrawKey: () => {
        keys = keys.slice(0, 3);
        plants.restart(keys);
      },
    },
  };
};
