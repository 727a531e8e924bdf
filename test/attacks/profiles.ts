import { changed, type Entry, headed, now } from './entry.ts';

/** Tokens of issuers with other token types (Keycloak, Okta, Entra). */
export const oidcEntries: readonly Entry[] = [
  ...headed('allowed', 'typ', {
    'the type JWT': 'JWT',
    'the type in lower case': 'jwt',
    'the type in full': 'application/jwt',
    'no type': undefined,
  }),
  ...headed('token-type', 'typ', {
    'the type at+jwt': 'at+jwt',
    'an empty type': '',
    'a type of null': null,
    'a type in a list': ['JWT'],
    'the type of a logout token': 'logout+jwt',
    'the type of a DPoP proof': 'dpop+jwt',
    'a type with a parameter': 'JWT; x=y',
  }),
  ...changed('audience', {
    'a client as the audience, as in an ID token': { header: { typ: 'JWT' }, claims: { aud: 'web' } },
    'no audience': { header: { typ: 'JWT' }, claims: { aud: undefined } },
    'an audience in parts': { header: { typ: 'JWT' }, claims: { aud: ['plant', '-store'] } },
  }),
];

const cognito = (changes: Readonly<Record<string, unknown>>) => ({
  header: { typ: undefined },
  claims: {
    aud: undefined,
    token_use: 'access',
    client_id: 'web',
    'cognito:groups': ['gardeners'],
    ...changes,
  },
});

/** Access tokens of Amazon Cognito, for the clients `web` and `phone`. */
export const cognitoEntries: readonly Entry[] = [
  ...changed('allowed', {
    'an access token': cognito({}),
    'an access token of the other client': cognito({ client_id: 'phone' }),
    'an access token without groups': cognito({ 'cognito:groups': undefined }),
    'groups in another claim, which are ignored': cognito({ groups: ['admins'] }),
  }),
  ...changed('token-use', {
    'an ID token': cognito({ token_use: 'id', aud: 'web', client_id: undefined }),
    'no use': cognito({ token_use: undefined }),
    'a use of null': cognito({ token_use: null }),
    'a use in upper case': cognito({ token_use: 'ACCESS' }),
    'uses in a list': cognito({ token_use: ['access'] }),
  }),
  ...changed('client', {
    'another client': cognito({ client_id: 'admin' }),
    'no client': cognito({ client_id: undefined }),
    'no client but an audience': cognito({ client_id: undefined, aud: 'web' }),
    'an empty client': cognito({ client_id: '' }),
    'clients in a list': cognito({ client_id: ['web'] }),
    'the whole list of clients': cognito({ client_id: 'web,phone' }),
    'a client in upper case': cognito({ client_id: 'WEB' }),
  }),
  ...changed('issuer', { 'another user pool': cognito({ iss: 'https://issuer.example.org' }) }),
  ...changed('lifetime', { 'an expired access token': () => cognito({ exp: now() - 1 }) }),
  ...changed('groups', { 'groups in a string': cognito({ 'cognito:groups': 'gardeners' }) }),
];
