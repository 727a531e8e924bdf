import { clockToleranceSeconds } from '../../functions/authorizer/claims.ts';
import type { TokenChanges } from '../support/issuer.ts';
import { ecKey, rsaKey, secretKey, type SigningKey } from '../support/tokens.ts';

/** What becomes of a request. An undecided one gets a 500, which the gateway does not keep. */
export type Outcome = 'allowed' | 'denied' | 'undecided';

/** A request, after the issuer may have changed and time may have passed. */
export interface Step {
  /** What the issuer publishes from now on: the text of its key set, or `down`. */
  readonly publishes?: string;
  readonly afterSeconds?: number;
  /** The differences from a valid token of the scenario's first key. */
  readonly token: (now: number) => TokenChanges;
  readonly outcome: Outcome;
}

/** What an issuer does, and what becomes of its tokens. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

const first = ecKey('first');
const second = ecKey('second');
const stranger = ecKey('stranger');

/** An authorizer fetches the key set for a token without a key in its copy once the copy is this old. */
export const untilRefresh = 5.1;
const untilRetry = 1.1;

const jwks = (...keys: readonly unknown[]): string => JSON.stringify({ keys });
const jwkOf = ({ jwk }: SigningKey): unknown => jwk;
const withoutKid = ({ jwk }: SigningKey): unknown => ({ ...jwk, kid: undefined });
const renamed = ({ jwk }: SigningKey): unknown => ({ ...jwk, kid: 'same' });

const by =
  (key: SigningKey, changes: TokenChanges = {}) =>
  (): TokenChanges => ({ key, ...changes });
const byUnnamed = (key: SigningKey) => by(key, { header: { kid: undefined } });
const bySame = (key: SigningKey) => by(key, { header: { kid: 'same' } });

const start: Step = { publishes: jwks(jwkOf(first)), token: by(first), outcome: 'allowed' };
const recovery: Step = {
  publishes: jwks(jwkOf(first), jwkOf(second)),
  afterSeconds: untilRetry,
  token: by(second),
  outcome: 'allowed',
};

/** A key set that replaces a good one, and does not have the second key. */
const failedRefresh = (name: string, publishes: string): Scenario => ({
  name,
  steps: [
    start,
    { publishes, afterSeconds: untilRefresh, token: by(second), outcome: 'undecided' },
    { token: by(first), outcome: 'allowed' },
    { publishes: jwks(jwkOf(second)), token: by(second), outcome: 'undecided' },
    recovery,
  ],
});

/** Two keys that both match a token, which either of them may have signed. */
const eachTried = (
  name: string,
  publishes: string,
  signedBy: (key: SigningKey) => Step['token'],
): Scenario => ({
  name,
  steps: [
    { publishes, token: signedBy(first), outcome: 'allowed' },
    { token: signedBy(second), outcome: 'allowed' },
    { token: signedBy(stranger), outcome: 'denied' },
  ],
});

const withJwk = (name: string, ...bad: readonly unknown[]): Scenario => ({
  name,
  steps: [
    { publishes: jwks(...bad, jwkOf(first)), token: by(first), outcome: 'allowed' },
    { token: by(second), outcome: 'denied' },
  ],
});

const large = { ...second.jwk, x5c: ['A'.repeat(512 * 1024)] };
const many = Array.from({ length: 1500 }, (_, index) => ({ ...second.jwk, kid: String(index) }));
const weak = rsaKey('weak', 1024);
const secret = secretKey('first', 'a secret that must not be published');

/** What an issuer of access tokens can do. */
export const scenarios: readonly Scenario[] = [
  failedRefresh('an issuer that is down when it has a new key, and is back a second later', 'down'),
  failedRefresh('an issuer whose key set is empty for a while', jwks()),
  failedRefresh('an issuer whose key set has only an unusable key for a while', jwks(jwkOf(weak))),
  failedRefresh('an issuer whose key set is too large for a while', jwks(large)),
  eachTried('two keys with one id', jwks(renamed(first), renamed(second)), bySame),
  {
    name: 'a key that is listed twice',
    steps: [
      { publishes: jwks(jwkOf(first), jwkOf(first)), token: by(first), outcome: 'allowed' },
      { token: by(second), outcome: 'denied' },
    ],
  },
  eachTried('several keys, and tokens without a key id', jwks(jwkOf(first), jwkOf(second)), byUnnamed),
  {
    name: 'a new key in place of the old one, without key ids',
    steps: [
      { publishes: jwks(withoutKid(first)), token: byUnnamed(first), outcome: 'allowed' },
      {
        publishes: jwks(withoutKid(second)),
        afterSeconds: untilRefresh,
        token: byUnnamed(second),
        outcome: 'allowed',
      },
      { token: byUnnamed(first), outcome: 'denied' },
    ],
  },
  {
    name: 'an issuer whose clock is ahead',
    steps: [
      start,
      ...[8, clockToleranceSeconds - 5].map((ahead): Step => ({
        token: (now) => by(first, { claims: { iat: now + ahead, nbf: now + ahead } })(),
        outcome: 'allowed',
      })),
      ...['iat', 'nbf'].map((claim): Step => ({
        token: (now) => by(first, { claims: { [claim]: now + clockToleranceSeconds + 10 } })(),
        outcome: 'denied',
      })),
    ],
  },
  {
    name: 'a token that is bound to a key',
    steps: [start, { token: by(first, { claims: { cnf: {} } }), outcome: 'denied' }],
  },
  withJwk('a key set of 1,500 keys', ...many),
  withJwk('a key for encryption', { ...second.jwk, use: 'enc' }),
  withJwk('a key that must not verify', { ...second.jwk, key_ops: ['sign'] }),
  withJwk('a key with its private part', second.privateJwk),
  withJwk('a key with the algorithm of another type', { ...second.jwk, alg: 'RS256' }),
  withJwk('a symmetric key with the id of another', secret.jwk),
  {
    name: 'a key set with a member twice, of which the last counts',
    steps: [
      {
        publishes: `{"keys":${JSON.stringify([jwkOf(second)])},"keys":${JSON.stringify([jwkOf(first)])}}`,
        token: by(first),
        outcome: 'allowed',
      },
      { token: by(second), outcome: 'denied' },
    ],
  },
];

const oidc = (claims: TokenChanges['claims'] = {}): (() => TokenChanges) =>
  by(first, { header: { typ: 'JWT' }, claims: { scope: 'openid plants:read', ...claims } });

/** The tokens of one registration that serves the API and its page, in a stage with the profile `oidc` and a required scope. */
export const oidcScenario: Scenario = {
  name: 'the tokens of one registration for the API and its page',
  steps: [
    { ...start, token: oidc() },
    { token: oidc({ typ: 'Bearer' }), outcome: 'allowed' },
    { token: oidc({ at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }), outcome: 'denied' },
    { token: oidc({ c_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }), outcome: 'denied' },
    { token: oidc({ s_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }), outcome: 'denied' },
    { token: oidc({ typ: 'ID' }), outcome: 'denied' },
    { token: oidc({ typ: 'Refresh' }), outcome: 'denied' },
    { token: oidc({ scope: undefined, scp: ['plants:read'] }), outcome: 'allowed' },
    { token: oidc({ scope: undefined }), outcome: 'denied' },
    { token: oidc({ scope: 'openid' }), outcome: 'denied' },
  ],
};
