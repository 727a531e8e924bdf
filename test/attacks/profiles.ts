// Stages with different settings, and the decisions of their authorizers. Rows are as in claims.ts.
import type { Environment } from '../../functions/shared/environment.ts';
import type { TokenChanges } from '../support/issuer.ts';
import { corpus } from './corpus.ts';
import { changed, type Entry, now, type Row, rows } from './entry.ts';
import { ec } from './keys.ts';

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
  ...rows('header', [
    ['allowed', 'typ', 'JWT', 'jwt', 'application/jwt', undefined],
    ['token-type', 'typ', '', null, ['JWT'], 'at+jwt', 'logout+jwt', 'dpop+jwt', 'JWT; x=y'],
  ]),
  ...rows('claims', [
    // Keycloak's access tokens have `typ`, and before version 24 also `nonce`.
    ['allowed', 'typ', 'Bearer'],
    ['allowed', 'nonce', 'n'],
    // Of ID tokens, refresh tokens and logout tokens.
    ['token-type', 'typ', 'ID', 'Refresh', null, ['Bearer'], 'bearer'],
    ['token-type', 'at_hash', 'MTIzNDU2Nzg5MDEyMzQ1Ng', null],
    ['token-type', 'c_hash', 'MTIzNDU2Nzg5MDEyMzQ1Ng'],
    ['token-type', 's_hash', 'MTIzNDU2Nzg5MDEyMzQ1Ng'],
    ['token-type', 'events', { 'http://schemas.openid.net/event/backchannel-logout': {} }],
    ['audience', 'aud', 'web', undefined, ['plant', '-store']],
  ]),
];

const scopeEntries = rows('claims', [
  ['allowed', 'scope', 'plants:read', 'openid plants:read profile', ['openid', 'plants:read']],
  // As in tokens of Entra and of Okta.
  ['allowed', 'scp', 'plants:read plants:write', ['openid', 'plants:read']],
  // As in Entra's tokens of a program.
  ['allowed', 'roles', ['plants:read'], ['plants:write', 'plants:read'], 'plants:write plants:read'],
  ...['scope', 'scp', 'roles'].flatMap((claim): readonly Row[] => [
    [
      'scope',
      claim,
      undefined,
      '',
      null,
      true,
      { 'plants:read': true },
      [['plants:read']],
      { 0: 'plants:read' },
    ],
    ['scope', claim, 'plants:write', 'PLANTS:READ', 'plants', 'plants:read.all', 'openid,plants:read'],
    [
      'scope',
      claim,
      ['plants:read', 7],
      ['openid plants:read'],
      ['plants:read '],
      'plants:read\tplants:write',
    ],
  ]),
  ['scope', 'permissions', ['plants:read']],
  ['scope', 'groups', ['plants:read']],
]);

/** Access tokens of Amazon Cognito, for the clients `web` and `phone`. */
const cognitoEntries: readonly Entry[] = [
  ...rows('claims', [
    ['allowed', 'client_id', 'web', 'phone'],
    ['allowed', 'cognito:groups', undefined],
    // Ignored.
    ['allowed', 'groups', ['admins']],
    ['token-use', 'token_use', undefined, null, 'ACCESS', ['access'], 'id'],
    ['client', 'client_id', undefined, '', 'admin', ['web'], 'web,phone', 'WEB'],
    ['issuer', 'iss', 'https://issuer.example.org'],
    ['groups', 'cognito:groups', 'gardeners'],
    ['groups', '_claim_names', { 'cognito:groups': 'src1' }],
    ['allowed', '_claim_names', { groups: 'src1' }],
    ['lifetime', 'exp', now() - 1],
  ]),
  ...changed('client', {
    'an audience in place of a client': { claims: { client_id: undefined, aud: 'web' } },
  }),
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
    stage: 'that allows only ES256',
    environment: { TOKEN_ALGORITHMS: 'ES256' },
    valid: {},
    entries: [
      ...changed('algorithm', { 'a token with RS256': {} }),
      ...changed('allowed', { 'a token with ES256': { key: ec } }),
    ],
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
