import type { TokenChanges } from '../support/issuer.ts';
import { changed, claimed, type Entry, headed, now } from './entry.ts';

const oidc = (claims: TokenChanges['claims'] = {}): TokenChanges => ({ header: { typ: 'JWT' }, claims });

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
  ...changed('allowed', { 'the claim typ of Keycloak’s access tokens': oidc({ typ: 'Bearer' }) }),
  ...changed('token-type', {
    'the hash of an access token, as in an ID token': oidc({ at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }),
    'the hash of a code, as in an ID token': oidc({ c_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }),
    'the hash of a state, as in an ID token': oidc({ s_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }),
    'a hash of null': oidc({ at_hash: null }),
    'the events of a logout token': oidc({
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    }),
    'the claim typ of Keycloak’s ID tokens': oidc({ typ: 'ID' }),
    'the claim typ of Keycloak’s refresh tokens': oidc({ typ: 'Refresh' }),
    'a claim typ of null': oidc({ typ: null }),
    'a claim typ in a list': oidc({ typ: ['Bearer'] }),
    'a claim typ in lower case': oidc({ typ: 'bearer' }),
  }),
  ...changed('allowed', { 'a nonce, which Keycloak before 24 put into access tokens': oidc({ nonce: 'n' }) }),
  ...changed('audience', {
    'a client as the audience, as in an ID token': oidc({ aud: 'web' }),
    'no audience': oidc({ aud: undefined }),
    'an audience in parts': oidc({ aud: ['plant', '-store'] }),
  }),
];

/** Tokens in a stage that requires the scope `plants:read`. */
export const scopeEntries: readonly Entry[] = [
  ...claimed('allowed', 'scope', {
    'the scope alone': 'plants:read',
    'the scope among others': 'openid plants:read profile',
  }),
  ...claimed('allowed', 'scp', {
    'the scope as in Entra’s tokens': 'plants:read plants:write',
    'the scope as in Okta’s tokens': ['openid', 'plants:read'],
  }),
  ...claimed('scope', 'scope', {
    'no scope, as in Entra’s ID tokens': undefined,
    'an empty scope': '',
    'a scope of null': null,
    'another scope': 'plants:write',
    'the scope in upper case': 'PLANTS:READ',
    'the start of the scope': 'plants',
    'the scope as the start of another': 'plants:read.all',
    'the scope with commas': 'openid,plants:read',
    'the scope as a member name': { 'plants:read': true },
    'the scope in a nested list': [['plants:read']],
  }),
  ...claimed('scope', 'roles', { 'the scope in another claim': 'plants:read' }),
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
