// Stages with different settings, and the decisions of their authorizers. Rows are as in claims.ts.
import type { Environment } from '../../functions/runtime/environment.ts';
import type { TokenChanges } from '../support/issuer.ts';
import { keysOfAllAlgorithms, secretKey } from '../support/tokens.ts';
import { claimEntries } from './claims.ts';
import { credentialEntries } from './authorization-headers.ts';
import { changed, type Entry, headers, type Row, rows, tokens } from './attack.ts';
import { attackerRsa, ec } from './keys.ts';
import { tokenEntries } from './tokens.ts';

/** A stage, with headers and its authorizer's decisions. Differences are those from the profile rfc9068. */
export interface StageEntries {
  readonly stage: string;
  /** The differences of its authorizer's settings. */
  readonly environment?: Environment;
  /** The differences of its valid tokens. */
  readonly valid?: TokenChanges;
  /** Whether the issuer is unreachable, so that there is no key set. */
  readonly isIssuerDown?: true;
  readonly entries: readonly Entry[];
}

/** Authorization headers with the expected decisions, in a stage with the profile rfc9068. */
export const corpus: readonly Entry[] = [...credentialEntries, ...tokenEntries, ...claimEntries];

/** Tokens of Keycloak, Okta and Entra. */
const oidcEntries: readonly Entry[] = [
  ...rows('header', [
    ['allowed', 'typ', 'JWT', undefined],
    ['token-type', 'typ', 'at+jwt', 'logout+jwt'],
  ]),
  ...rows('claims', [
    // Keycloak's access tokens have `typ`, and before version 24 also `nonce`.
    ['allowed', 'typ', 'Bearer'],
    ['allowed', 'nonce', 'n'],
    // Of ID tokens, refresh tokens and logout tokens.
    ['token-type', 'typ', 'ID', 'Refresh', null],
    ...['at_hash', 'c_hash', 's_hash'].map((hash): Row => ['token-type', hash, 'MTIzNDU2Nzg5MDEyMzQ1Ng']),
    ['token-type', 'events', { 'http://schemas.openid.net/event/backchannel-logout': {} }],
    ['audience', 'aud', 'web', undefined],
  ]),
];

/** What lists no required scope, whichever claim has it. */
const otherScopes = [
  ...[undefined, '', { 'plants:read': true }, 'PLANTS:READ', 'plants:read.all', 'openid\tplants:read'],
  ...[['openid plants:read'], [['plants:read']], ['plants:read', 7], 'openid,plants:read'],
];

const scopeEntries = rows('claims', [
  ['allowed', 'scope', 'plants:read', 'openid plants:read profile'],
  // As in tokens of Entra and of Okta.
  ['allowed', 'scp', 'plants:read plants:write', ['openid', 'plants:read']],
  // As in Entra's tokens of a program.
  ['allowed', 'roles', ['plants:write', 'plants:read']],
  ...['scope', 'scp', 'roles'].map((claim): Row => ['scope', claim, ...otherScopes]),
  ['scope', 'permissions', ['plants:read']],
]);

/** Entra's marks for left-out groups are about the claim `groups`, whichever claim the stage reads. */
const rolesEntries = rows('claims', [
  ['allowed', 'hasgroups', true, 'true', null],
  ['allowed', 'groups:src1', { endpoint: 'https://graph.example.com' }],
  ['allowed', '_claim_names', { groups: 'src1' }],
  ['allowed', 'roles', undefined, []],
  ['groups', '_claim_names', { roles: 'src1' }, null],
  ['groups', 'roles', 'gardeners', 'gardeners visitors', { gardeners: true }, null],
]);

/** A claim within another one is not read, so its groups are missing: docs/issuers.md warns of this. */
const nestedEntries = rows('claims', [
  ['allowed', 'realm_access', { roles: ['gardeners'] }, undefined],
  // A claim with a dot in its name is read.
  ['allowed', 'realm_access.roles', ['gardeners']],
  ['groups', 'realm_access.roles', 'gardeners'],
]);

/** Access tokens of Amazon Cognito, for the clients `web` and `phone`. */
const cognitoEntries: readonly Entry[] = [
  ...rows('claims', [
    ['allowed', 'client_id', 'web', 'phone'],
    ['allowed', 'cognito:groups', undefined],
    // Ignored.
    ['allowed', 'groups', ['admins']],
    ['token-use', 'token_use', undefined, 'id'],
    ['client', 'client_id', undefined, 'admin', ['web'], 'web,phone'],
    ['groups', 'cognito:groups', 'gardeners'],
    ['groups', '_claim_names', { 'cognito:groups': 'src1' }],
    ['allowed', '_claim_names', { groups: 'src1' }],
    // A token for one resource (“Resource binding” in Cognito's guide), which this stage does not name.
    ['audience', 'aud', 'another-api', '$aud', 'web', ['$aud'], '', [], {}, 0, null],
  ]),
  ...changed('client', {
    'an audience in place of a client': { claims: { client_id: undefined, aud: 'web' } },
  }),
  ...changed('token-use', {
    'the audience and the use of an ID token': { claims: { token_use: 'id', aud: 'web' } },
  }),
];

/** Access tokens of Amazon Cognito for one resource, which the stage names. */
const boundCognitoEntries: readonly Entry[] = [
  ...rows('claims', [
    ['allowed', 'aud', '$aud', ['$aud'], ['another-api', '$aud']],
    ['audience', 'aud', undefined, 'another-api', ['another-api'], '$aud/', '', [], [['$aud']], {}, 0, null],
    ['client', 'client_id', 'admin'],
  ]),
];

/** Headers that need no keys are denied, and others cannot be decided. */
const withoutKeys: readonly Entry[] = [
  ...changed('undecided', { 'a valid token': {}, 'an attacker’s key': { key: attackerRsa } }),
  ...headers('not-a-bearer-token', { 'another scheme': ({ token }) => `Basic ${token()}` }),
  ...tokens('not-a-signed-token', { 'a word': () => 'x' }),
  ...changed('algorithm', { 'the algorithm none': { header: { alg: 'none' } } }),
];

const cognitoEnvironment = {
  ...{ TOKEN_PROFILE: 'cognito', CLIENT_IDS: 'web,phone', GROUPS_CLAIM: 'cognito:groups' },
};
const cognitoTokens = {
  header: { typ: undefined },
  claims: { token_use: 'access', client_id: 'web', 'cognito:groups': ['gardeners'] },
};

export const stages: readonly StageEntries[] = [
  { stage: 'with the profile rfc9068', entries: corpus },
  { stage: 'whose issuer is down', isIssuerDown: true, entries: withoutKeys },
  {
    stage: 'with the profile oidc',
    environment: { TOKEN_PROFILE: 'oidc' },
    valid: { header: { typ: 'JWT' } },
    entries: oidcEntries,
  },
  { stage: 'that requires a scope', environment: { REQUIRED_SCOPE: 'plants:read' }, entries: scopeEntries },
  {
    stage: 'that allows only ES256',
    environment: { TOKEN_ALGORITHMS: 'ES256' },
    entries: [
      ...changed('algorithm', { 'a token with RS256': {} }),
      ...changed('allowed', { 'a token with ES256': { key: ec } }),
    ],
  },
  {
    stage: 'that allows every asymmetric algorithm',
    environment: { TOKEN_ALGORITHMS: keysOfAllAlgorithms.map(({ alg }) => alg).join(',') },
    entries: [
      ...keysOfAllAlgorithms.flatMap((key) => [
        ...changed('allowed', {
          [`a token with ${key.alg}`]: { key },
          [`a token with ${key.alg} and no key id`]: { key, header: { kid: undefined } },
        }),
        ...changed('unknown-key', {
          [`another key’s token with ${key.alg}`]: { key, header: { kid: 'another' } },
        }),
      ]),
      ...changed('algorithm', {
        'a MAC': { key: secretKey('RS256', 'secret') },
        'the algorithm none': { header: { alg: 'none' } },
        'the algorithm Ed448': { header: { alg: 'Ed448' } },
      }),
    ],
  },
  {
    stage: 'whose groups are in the claim roles',
    environment: { GROUPS_CLAIM: 'roles' },
    valid: { claims: { roles: ['gardeners', 'visitors'] } },
    entries: rolesEntries,
  },
  {
    stage: 'whose groups claim is within another one',
    environment: { GROUPS_CLAIM: 'realm_access.roles' },
    valid: { claims: { realm_access: { roles: ['gardeners'] } } },
    entries: nestedEntries,
  },
  {
    stage: 'whose groups claim is an object',
    environment: { GROUPS_CLAIM: 'realm_access' },
    valid: { claims: { realm_access: { roles: ['gardeners'] } } },
    entries: changed('groups', { 'a valid token': {} }),
  },
  {
    stage: 'with the profile cognito',
    environment: { ...cognitoEnvironment, AUDIENCE: undefined },
    valid: { ...cognitoTokens, claims: { ...cognitoTokens.claims, aud: undefined } },
    entries: cognitoEntries,
  },
  {
    stage: 'with the profile cognito and an audience',
    environment: { ...cognitoEnvironment, AUDIENCE: 'plant-store' },
    valid: cognitoTokens,
    entries: boundCognitoEntries,
  },
];
