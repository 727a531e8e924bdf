import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { authorizationCode } from './authorization-code.ts';
import type { Grant, IssuerUnderTest } from './issuer-under-test.ts';
import { api, robot, type RunningProvider, scope, startProvider } from './oidc-provider-server.ts';
import { expectTokens, proofOfPossession, requestTokens } from './token-endpoint.ts';
import { groups, username } from './user.ts';

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
    const fields = { client_id: client, ...(resource !== '' && { resource }) };
    const grant = await authorizationCode(`${url}/auth`, { ...fields, scope: scopes });
    return expectTokens(`${url}/token`, { ...fields, ...grant }, headers);
  };
  const access = async (how: SignIn): Promise<string> => (await signIn(how)).access;
  const ofClient = async (): Promise<string> => {
    const fields = { ...robot, grant_type: 'client_credentials', resource: api, scope };
    return (await expectTokens(`${plants.url}/token`, fields)).access;
  };
  const signedUserInfo = async (): Promise<string> => {
    const token = await access({ client: 'page-with-signed-user-info', resource: '' });
    return (await fetch(`${plants.url}/me`, { headers: { authorization: `Bearer ${token}` } })).text();
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
      ['an access token signed with EdDSA', () => access({ resource: `${api}/eddsa` })],
      ['an access token that a client has in its own name', ofClient, { subject: 'robot', groups: [] }],
    ],
    denied: [
      ['an ID token', 'token-type', async () => (await signIn()).id],
      [
        'an ID token of a client that is the API itself',
        'token-type',
        async () => (await signIn({ client: api })).id,
      ],
      ['a refresh token', 'not-a-signed-token', async () => (await signIn()).refresh],
      ['an access token without a resource', 'not-a-signed-token', () => access({ resource: '' })],
      [
        'an access token for another resource',
        'audience',
        () => access({ resource: 'https://animals.example.com' }),
      ],
      ['an access token without the required scope', 'scope', () => access({ scopes: 'openid' })],
      ['an access token of another issuer', 'unknown-key', () => access({ provider: others })],
      [
        'an access token bound to a key',
        'key-bound',
        () => access({ headers: proofOfPossession(`${plants.url}/token`) }),
      ],
      ['a signed response of the user-info endpoint', 'token-type', signedUserInfo],
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
