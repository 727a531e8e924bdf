import type { TokenChanges } from '../support/issuer.ts';
import { ecKey, rsaKey, secretKey, type SigningKey } from '../support/tokens.ts';

/** What becomes of a request. An undecided one gets a 500, which the gateway does not cache. */
export type Outcome = 'allowed' | 'denied' | 'undecided';

/** A request, after the issuer may have changed and time may have passed. */
export interface Step {
  /** What the issuer publishes from now on: the text of its key set, or `down`. */
  readonly publishes?: string;
  readonly afterSeconds?: number;
  /** The differences from a valid token. */
  readonly token: TokenChanges;
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

/** A copy this old is fetched again for a token that none of its keys verifies. */
const untilRefresh = 5.1;
const untilRetry = 1.1;

const jwks = (...keys: readonly unknown[]): string => JSON.stringify({ keys });
const withKid = ({ jwk }: SigningKey, kid?: string): unknown => ({ ...jwk, kid });

const by = (key: SigningKey): TokenChanges => ({ key });
const byUnnamed = (key: SigningKey): TokenChanges => ({ key, header: { kid: undefined } });
const bySame = (key: SigningKey): TokenChanges => ({ key, header: { kid: 'same' } });

/** A key set that replaces a good one, and does not have the second key. */
const failedRefresh = (name: string, publishes: string): Scenario => ({
  name,
  steps: [
    { publishes: jwks(first.jwk), token: by(first), outcome: 'allowed' },
    { publishes, afterSeconds: untilRefresh, token: by(second), outcome: 'undecided' },
    { token: by(first), outcome: 'allowed' },
    { publishes: jwks(second.jwk), token: by(second), outcome: 'undecided' },
    { afterSeconds: untilRetry, token: by(second), outcome: 'allowed' },
  ],
});

/** A key set, whose keys these tokens' signers are or are not. */
const keySet = (
  name: string,
  publishes: string,
  allowed: readonly TokenChanges[],
  denied: TokenChanges,
): Scenario => ({
  name,
  steps: [
    ...allowed.map((token): Step => ({ publishes, token, outcome: 'allowed' })),
    { publishes, token: denied, outcome: 'denied' },
  ],
});

/** A key set with the first key, and before it other JWKs, which verify no token of the second key. */
const withJwk = (name: string, ...bad: readonly unknown[]): Scenario =>
  keySet(name, jwks(...bad, first.jwk), [by(first)], by(second));

const large = { ...second.jwk, x5c: ['A'.repeat(512 * 1024)] };
const many = Array.from({ length: 1500 }, (_, index) => ({ ...second.jwk, kid: String(index) }));
const secret = secretKey('first', 'a secret that must not be published');

export const scenarios: readonly Scenario[] = [
  failedRefresh('an issuer that is down when it has a new key, and is back a second later', 'down'),
  failedRefresh('an issuer whose key set is empty for a while', jwks()),
  failedRefresh(
    'an issuer whose key set has only an unusable key for a while',
    jwks(rsaKey('weak', 1024).jwk),
  ),
  failedRefresh('an issuer whose key set is too large for a while', jwks(large)),
  {
    name: 'a new key in place of the old one, without key ids',
    steps: [
      { publishes: jwks(withKid(first)), token: byUnnamed(first), outcome: 'allowed' },
      {
        publishes: jwks(withKid(second)),
        afterSeconds: untilRefresh,
        token: byUnnamed(second),
        outcome: 'allowed',
      },
      { token: byUnnamed(first), outcome: 'denied' },
    ],
  },
  keySet(
    'two keys with one id',
    jwks(withKid(first, 'same'), withKid(second, 'same')),
    [first, second].map(bySame),
    bySame(stranger),
  ),
  keySet(
    'several keys, and tokens without a key id',
    jwks(first.jwk, second.jwk),
    [first, second].map(byUnnamed),
    byUnnamed(stranger),
  ),
  keySet(
    'a member twice, of which the last counts',
    `{"keys":${JSON.stringify([second.jwk])},"keys":${JSON.stringify([first.jwk])}}`,
    [by(first)],
    by(second),
  ),
  withJwk('a key that is listed twice', first.jwk),
  withJwk('1,500 keys', ...many),
  withJwk('a key for encryption', { ...second.jwk, use: 'enc' }),
  withJwk('a key that must not verify', { ...second.jwk, key_ops: ['sign'] }),
  withJwk('a key with its private part', second.privateJwk),
  withJwk('a key with the algorithm of another type', { ...second.jwk, alg: 'RS256' }),
  withJwk('a symmetric key with the id of another', secret.jwk),
];
