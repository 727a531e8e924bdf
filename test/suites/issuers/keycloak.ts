import { z } from 'zod';
import type { Grant, IssuerUnderTest } from './issuer-under-test.ts';
import { api, groups, keyProvider, realmNamed, signingKey } from './keycloak-realm.ts';
import { proofOfPossession, requestTokens } from './token-endpoint.ts';
import { password, username } from './user.ts';

/** Keycloak, with a realm for the API and another one. */
export const keycloak = (): IssuerUnderTest => {
  const endpoint = process.env['KEYCLOAK_ENDPOINT'] ?? '';
  const realm = `${endpoint}/realms/plants`;
  const protocol = (path: string, of = realm): string => `${of}/protocol/openid-connect/${path}`;
  let subject = '';

  const administer = async (method: string, path: string, body?: unknown): Promise<string> => {
    const { access } = await requestTokens(protocol('token', `${endpoint}/realms/master`), {
      grant_type: 'password',
      client_id: 'admin-cli',
      username: 'admin',
      password: 'admin',
    });
    const response = await fetch(`${endpoint}/admin/realms${path}`, {
      method,
      headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const responseText = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${responseText}`);
    return responseText;
  };

  const signIn = (
    clientId: string,
    headers: Readonly<Record<string, string>> = {},
    of = realm,
  ): Promise<Grant> =>
    requestTokens(
      protocol('token', of),
      { grant_type: 'password', client_id: clientId, username, password, scope: 'openid' },
      headers,
    );
  const access = async (...of: Parameters<typeof signIn>): Promise<string> => (await signIn(...of)).access;
  const signedUserInfo = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${await access(api)}` };
    return (await fetch(protocol('userinfo'), { headers })).text();
  };

  return {
    name: 'Keycloak',
    start: async () => {
      for (const name of ['plants', 'others']) await administer('POST', '', realmNamed(name));
      const users = await administer('GET', `/plants/users?username=${username}`);
      [{ id: subject }] = z.tuple([z.object({ id: z.string() })]).parse(JSON.parse(users));
    },
    record: () => ({
      profile: 'oidc',
      issuer: realm,
      jwksUri: protocol('certs'),
      audience: api,
      algorithms: ['RS256', 'ES256', 'EdDSA'],
      groupsClaim: 'groups',
    }),
    caller: () => ({ subject, groups }),
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
      ['an ID token', 'audience', async () => (await signIn('app')).id],
      ['an ID token of a client that is the API itself', 'token-type', async () => (await signIn(api)).id],
      ['a refresh token', 'algorithm', async () => (await signIn('app')).refresh],
      ['an access token of a client without the audience', 'audience', () => access('stranger')],
      [
        'an access token of another realm',
        'unknown-key',
        () => access('app', {}, `${endpoint}/realms/others`),
      ],
      [
        'an access token bound to a key',
        'token-type',
        () => access('app', proofOfPossession(protocol('token'))),
      ],
      ['a signed response of the user-info endpoint', 'lifetime', signedUserInfo],
    ],
    rotation: {
      addKey: async () => {
        await administer('POST', '/plants/components', {
          providerType: keyProvider,
          ...signingKey('second', 'rsa-generated', 200),
        });
      },
      withdrawKey: async () => {
        const components = await administer('GET', `/plants/components?type=${keyProvider}&name=first`);
        const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(JSON.parse(components));
        await administer('DELETE', `/plants/components/${id}`);
      },
    },
  };
};
