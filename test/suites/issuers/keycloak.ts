import type { Grant, IssuerUnderTest } from './issuer-under-test.ts';
import {
  apiClientId,
  firstKeyIdIn,
  groups,
  keyComponent,
  keyProvider,
  realmNamed,
  requiredScope,
  userIdIn,
} from './keycloak-realm.ts';
import { proofOfPossession, requestTokens } from './token-endpoint.ts';
import { password, username } from './user.ts';

/** Keycloak with a realm for the API, whose access tokens have this profile. */
export const keycloak = (profile: 'oidc' | 'rfc9068'): IssuerUnderTest => {
  const endpoint = process.env['KEYCLOAK_ENDPOINT'] ?? '';
  const realmName = profile;
  const realmUrl = `${endpoint}/realms/${realmName}`;
  /** The URL of an endpoint of OpenID Connect. */
  const oidcUrl = (path: string, realm = realmUrl): string => `${realm}/protocol/openid-connect/${path}`;

  /** An access token of the administrator, from the realm that Keycloak starts with. */
  const adminToken = async (): Promise<string> => {
    const admin = { username: 'admin', password: 'admin' };
    const fields = { grant_type: 'password', client_id: 'admin-cli', ...admin };
    return (await requestTokens(oidcUrl('token', `${endpoint}/realms/master`), fields)).access;
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
      oidcUrl('token'),
      { grant_type: 'password', client_id: clientId, username, password, scope },
      headers,
    );
  const accessToken = async (...parameters: Parameters<typeof signIn>): Promise<string> =>
    (await signIn(...parameters)).access;
  const signedUserInfo = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${await accessToken(apiClientId)}` };
    return (await fetch(oidcUrl('userinfo'), { headers })).text();
  };

  const keyBoundToken = (): Promise<string> => accessToken('app', proofOfPossession(oidcUrl('token')));
  const deniedAsOidc: IssuerUnderTest['denied'] = [
    ['an ID token', 'audience', async () => (await signIn('app')).id],
    // Denied as a wrong type, because Keycloak's own claim `typ` is DPoP in the token.
    ['an access token bound to a key', 'token-type', keyBoundToken],
    ['a signed response of the user-info endpoint', 'lifetime', signedUserInfo],
  ];
  const deniedAsRfc9068: IssuerUnderTest['denied'] = [
    ['an access token bound to a key', 'key-bound', keyBoundToken],
    ['an access token without the required scope', 'scope', () => accessToken('app', {}, 'openid')],
  ];

  return {
    name: `Keycloak with the profile ${profile}`,
    start: () => administer('POST', '', realmNamed(realmName, profile === 'rfc9068')),
    tokens: () => ({
      profile,
      issuer: realmUrl,
      jwksUri: oidcUrl('certs'),
      audience: apiClientId,
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      groupsClaim: 'groups',
      ...(profile === 'rfc9068' && { requiredScope }),
    }),
    caller: () => ({ subject: userIdIn(realmName), groups }),
    signIn: () => signIn('app'),
    refresh: async (refresh_token) => {
      const fields = { grant_type: 'refresh_token', client_id: 'app', refresh_token };
      return (await requestTokens(oidcUrl('token'), fields)).access;
    },
    allowed: [
      ['an access token signed with ES256', () => accessToken('app-es256')],
      ['an access token signed with EdDSA', () => accessToken('app-eddsa')],
      ['an access token of a client that is the API itself', () => accessToken(apiClientId)],
    ],
    denied: [
      [
        'an ID token of a client that is the API itself',
        'token-type',
        async () => (await signIn(apiClientId)).id,
      ],
      ['a refresh token', 'algorithm', async () => (await signIn('app')).refresh],
      ['an access token of a client without the audience', 'audience', () => accessToken('without-audience')],
      ['an access token of another realm', 'unknown-key', adminToken],
      ...(profile === 'oidc' ? deniedAsOidc : deniedAsRfc9068),
    ],
    rotation: {
      addKey: () =>
        administer('POST', `/${realmName}/components`, {
          providerType: keyProvider,
          ...keyComponent('second', 200),
        }),
      withdrawKey: () => administer('DELETE', `/${realmName}/components/${firstKeyIdIn(realmName)}`),
    },
  };
};
