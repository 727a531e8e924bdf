import { ecKey, rsaKey } from '../../support/tokens.ts';
import { authorizationCode } from './authorization-code.ts';
import type { Grant, IssuerUnderTest } from './issuer-under-test.ts';
import { api, robot, type RunningProvider, scope, startProvider } from './oidc-provider-server.ts';
import { proofOfPossession, requestTokens } from './token-endpoint.ts';
import { groups, username } from './user.ts';

/** Private keys: the first signs access tokens, the second ID tokens. */
const newKeys = (): readonly object[] => [
  ecKey(crypto.randomUUID()).privateJwk,
  rsaKey(crypto.randomUUID()).privateJwk,
];

/** How the user signs in. */
interface SignIn {
  /** What the access token is for (RFC 8707); empty: nothing but the user-info endpoint. */
  readonly resource?: string;
  readonly scopes?: string;
  /** Headers of the token request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The library oidc-provider, with access tokens as in RFC 9068. */
export const oidcProvider = (): IssuerUnderTest => {
  let keys = newKeys();
  let provider: RunningProvider;
  const endpoint = (path: string): string => `${provider.url}/${path}`;

  const signIn = async ({
    resource = api,
    scopes = `openid ${scope}`,
    headers = {},
  }: SignIn = {}): Promise<Grant> => {
    const fields = { client_id: 'app', ...(resource !== '' && { resource }) };
    const grant = await authorizationCode(endpoint('auth'), { ...fields, scope: scopes });
    return requestTokens(endpoint('token'), { ...fields, ...grant }, headers);
  };
  const access = async (how: SignIn): Promise<string> => (await signIn(how)).access;
  const ofClient = async (): Promise<string> => {
    const fields = { ...robot, grant_type: 'client_credentials', resource: api, scope };
    return (await requestTokens(endpoint('token'), fields)).access;
  };

  return {
    name: 'oidc-provider',
    start: async () => {
      provider = await startProvider(process.env['OIDC_PROVIDER_FOLDER'] ?? '', keys);
    },
    stop: () => provider.stop(),
    record: () => ({
      profile: 'rfc9068',
      issuer: provider.url,
      jwksUri: endpoint('jwks'),
      audience: api,
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      groupsClaim: 'groups',
      requiredScope: scope,
    }),
    caller: () => ({ subject: username, groups }),
    signIn: () => signIn(),
    refresh: async (refresh_token) => {
      const fields = { grant_type: 'refresh_token', client_id: 'app', refresh_token, resource: api };
      return (await requestTokens(endpoint('token'), fields)).access;
    },
    allowed: [['an access token of a client without a user', ofClient, { subject: 'robot', groups: [] }]],
    denied: [
      ['an ID token', 'token-type', async () => (await signIn()).id],
      ['an access token without a resource', 'not-a-signed-token', () => access({ resource: '' })],
      [
        'an access token for another resource',
        'audience',
        () => access({ resource: 'https://animals.example.com' }),
      ],
      ['an access token without the required scope', 'scope', () => access({ scopes: 'openid' })],
      [
        'an access token bound to a key',
        'key-bound',
        () => access({ headers: proofOfPossession(endpoint('token')) }),
      ],
    ],
    rotation: {
      addKey: () => {
        keys = [...newKeys(), ...keys];
        provider.restart(keys);
      },
      withdrawKey: () => {
        keys = keys.slice(0, 2);
        provider.restart(keys);
      },
    },
  };
};
