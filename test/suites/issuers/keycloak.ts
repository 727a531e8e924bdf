import type { Grant, IssuerUnderTest } from './issuer-under-test.ts';
import { api, groups, keyComponent, keyProvider, realmNamed, requiredScope } from './keycloak-realm.ts';
import { proofOfPossession, requestTokens } from './token-endpoint.ts';
import { password, username } from './user.ts';

/** Keycloak, with a realm for the API. Its access tokens are of this profile. */
export const keycloak = (profile: 'oidc' | 'rfc9068'): IssuerUnderTest => {
  const endpoint = process.env['KEYCLOAK_ENDPOINT'] ?? '';
  const realm = `${endpoint}/realms/${profile}`;
  const protocol = (path: string, of = realm): string => `${of}/protocol/openid-connect/${path}`;

  /** An access token of the administrator, from the realm that Keycloak starts with. */
  const adminToken = async (): Promise<string> => {
    const admin = { username: 'admin', password: 'admin' };
    const fields = { grant_type: 'password', client_id: 'admin-cli', ...admin };
    return (await requestTokens(protocol('token', `${endpoint}/realms/master`), fields)).access;
  };
  const administer = async (method: string, path: string, body?: unknown): Promise<void> => {
    const response = await fetch(`${endpoint}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${text}`);
  };

  const signIn = (
    clientId: string,
    headers: Readonly<Record<string, string>> = {},
    scope = `openid ${requiredScope}`,
  ): Promise<Grant> =>
    requestTokens(
      protocol('token'),
      { grant_type: 'password', client_id: clientId, username, password, scope },
      headers,
    );
  const access = async (...of: Parameters<typeof signIn>): Promise<string> => (await signIn(...of)).access;
  const signedUserInfo = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${await access(api)}` };
    return (await fetch(protocol('userinfo'), { headers })).text();
  };

  const keyBound = (): Promise<string> => access('app', proofOfPossession(protocol('token')));
  const deniedAsOidc: IssuerUnderTest['denied'] = [
    ['an ID token', 'audience', async () => (await signIn('app')).id],
    // Keycloak's own claim `typ` is DPoP.
    ['an access token bound to a key', 'token-type', keyBound],
    ['a signed response of the user-info endpoint', 'lifetime', signedUserInfo],
  ];
  const deniedAsRfc9068: IssuerUnderTest['denied'] = [
    ['an access token bound to a key', 'key-bound', keyBound],
    ['an access token without the required scope', 'scope', () => access('app', {}, 'openid')],
  ];

  return {
    name: `Keycloak with the profile ${profile}`,
    start: () => administer('POST', '', realmNamed(profile, profile === 'rfc9068')),
    record: () => ({
      profile,
      issuer: realm,
      jwksUri: protocol('certs'),
      audience: api,
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      groupsClaim: 'groups',
      ...(profile === 'rfc9068' && { requiredScope }),
    }),
    caller: () => ({ subject: profile, groups }),
    signIn: () => signIn('app'),
    refresh: async (refresh_token) => {
      const fields = { grant_type: 'refresh_token', client_id: 'app', refresh_token };
      return (await requestTokens(protocol('token'), fields)).access;
    },
    allowed: [
      ['an access token signed with ES256', () => access('app-es256')],
      ['an access token signed with EdDSA', () => access('app-eddsa')],
      ['an access token of a client that is the API itself', () => access(api)],
    ],
    denied: [
      ['an ID token of a client that is the API itself', 'token-type', async () => (await signIn(api)).id],
      ['a refresh token', 'algorithm', async () => (await signIn('app')).refresh],
      ['an access token of a client without the audience', 'audience', () => access('stranger')],
      ['an access token of another realm', 'unknown-key', adminToken],
      ...(profile === 'oidc' ? deniedAsOidc : deniedAsRfc9068),
    ],
    rotation: {
      addKey: () =>
        administer('POST', `/${profile}/components`, {
          providerType: keyProvider,
          ...keyComponent('second', 200),
        }),
      withdrawKey: () => administer('DELETE', `/${profile}/components/${profile}`),
    },
  };
};
