import type { Environment } from '../../functions/shared/environment.ts';
import type { TokenChanges } from '../support/issuer.ts';
import { corpus } from './corpus.ts';
import { changed, claimed, type Entry, headed, now } from './entry.ts';

/** A stage, with headers and its authorizer's decisions. */
export interface StageEntries {
  readonly stage: string;
  /** The differences of its authorizer's settings from those of the profile rfc9068. */
  readonly environment: Environment;
  /** The differences of its valid tokens from those of the profile rfc9068. */
  readonly valid: TokenChanges;
  readonly entries: readonly Entry[];
}

/** Tokens of Keycloak, Okta and Entra. */
const oidcEntries: readonly Entry[] = [
  ...headed('allowed', 'typ', 'JWT', 'jwt', 'application/jwt', undefined),
  ...headed('token-type', 'typ', '', null, ['JWT'], 'at+jwt', 'logout+jwt', 'dpop+jwt', 'JWT; x=y'),
  // Keycloak's access tokens have `typ`, and before version 24 also `nonce`.
  ...claimed('allowed', 'typ', 'Bearer'),
  ...claimed('allowed', 'nonce', 'n'),
  // Of ID tokens, refresh tokens and logout tokens.
  ...claimed('token-type', 'typ', 'ID', 'Refresh', null, ['Bearer'], 'bearer'),
  ...claimed('token-type', 'at_hash', 'MTIzNDU2Nzg5MDEyMzQ1Ng', null),
  ...claimed('token-type', 'c_hash', 'MTIzNDU2Nzg5MDEyMzQ1Ng'),
  ...claimed('token-type', 's_hash', 'MTIzNDU2Nzg5MDEyMzQ1Ng'),
  ...claimed('token-type', 'events', { 'http://schemas.openid.net/event/backchannel-logout': {} }),
  ...claimed('audience', 'aud', 'web', undefined, ['plant', '-store']),
];

/** Tokens in a stage that requires the scope `plants:read`. */
const scopeEntries: readonly Entry[] = [
  ...claimed('allowed', 'scope', 'plants:read', 'openid plants:read profile'),
  // As in tokens of Entra and of Okta.
  ...claimed('allowed', 'scp', 'plants:read plants:write', ['openid', 'plants:read']),
  ...claimed('scope', 'scope', undefined, '', null, { 'plants:read': true }, [['plants:read']]),
  ...claimed(
    'scope',
    'scope',
    'plants:write',
    'PLANTS:READ',
    'plants',
    'plants:read.all',
    'openid,plants:read',
  ),
  ...claimed('scope', 'roles', 'plants:read'),
];

/** Access tokens of Amazon Cognito, for the clients `web` and `phone`. */
const cognitoEntries: readonly Entry[] = [
  ...claimed('allowed', 'client_id', 'web', 'phone'),
  ...claimed('allowed', 'cognito:groups', undefined),
  // Ignored.
  ...claimed('allowed', 'groups', ['admins']),
  ...claimed('token-use', 'token_use', undefined, null, 'ACCESS', ['access']),
  ...claimed('client', 'client_id', undefined, '', 'admin', ['web'], 'web,phone', 'WEB'),
  ...claimed('issuer', 'iss', 'https://issuer.example.org'),
  ...claimed('groups', 'cognito:groups', 'gardeners'),
  ...changed('token-use', {
    'an ID token': { claims: { token_use: 'id', aud: 'web', client_id: undefined } },
  }),
  ...changed('client', {
    'an audience in place of a client': { claims: { client_id: undefined, aud: 'web' } },
  }),
  ...changed('lifetime', { 'an expired access token': () => ({ claims: { exp: now() - 1 } }) }),
];

export const stages: readonly StageEntries[] = [
  { stage: 'with the profile rfc9068', environment: {}, valid: {}, entries: corpus },
  {
    stage: 'with the profile oidc',
    environment: { TOKEN_PROFILE: 'oidc' },
    valid: { header: { typ: 'JWT' } },
    entries: oidcEntries,
  },
  {
    stage: 'that requires a scope',
    environment: { REQUIRED_SCOPE: 'plants:read' },
    valid: {},
    entries: scopeEntries,
  },
  {
    stage: 'with the profile cognito',
    environment: { TOKEN_PROFILE: 'cognito', CLIENT_IDS: 'web,phone', GROUPS_CLAIM: 'cognito:groups' },
    valid: {
      header: { typ: undefined },
      claims: { aud: undefined, token_use: 'access', client_id: 'web', 'cognito:groups': ['gardeners'] },
    },
    entries: cognitoEntries,
  },
];
