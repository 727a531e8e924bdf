// The decisions on tokens while an issuer changes its keys, publishes bad ones or is down.
import { expect, it } from 'vitest';
import { JwksUnavailable } from '../../functions/authorizer/jwks.ts';
import { issuerOf, type TokenChanges } from '../support/issuer.ts';
import { ecKey, rsaKey, secretKey, type SigningKey } from '../support/tokens.ts';
import { startAuthorizer } from './authorizer.ts';

const issuer = issuerOf(ecKey('unused'), 'https://login.example.com', 'plant-store');
const [first, second, stranger] = [ecKey('first'), ecKey('second'), ecKey('stranger')];

/** A copy this old, in seconds, is fetched again for a token that none of its keys verifies. */
const untilRefresh = 5.1;
const untilRetry = 1.1;

/** A request: the key set published from then on (undefined: the issuer is down), and its token's changes. */
type Step = readonly [
  publishes: string | undefined,
  secondsLater: number,
  token: TokenChanges,
  outcome: 'allowed' | 'denied' | 'undecided',
];

const jwks = (...keys: readonly unknown[]): string => JSON.stringify({ keys });
const withKid = ({ jwk }: SigningKey, kid?: string): unknown => ({ ...jwk, kid });
const by = (key: SigningKey): TokenChanges => ({ key });
const byUnnamed = (key: SigningKey): TokenChanges => ({ key, header: { kid: undefined } });
const bySame = (key: SigningKey): TokenChanges => ({ key, header: { kid: 'same' } });

/** The first key set is replaced by a bad one for a while, then by one with the second key. */
const failedRefresh = (bad: string | undefined): readonly Step[] => [
  [jwks(first.jwk), 0, by(first), 'allowed'],
  [bad, untilRefresh, by(second), 'undecided'],
  [bad, 0, by(first), 'allowed'],
  [jwks(second.jwk), 0, by(second), 'undecided'],
  [jwks(second.jwk), untilRetry, by(second), 'allowed'],
];
/** A key set with which some tokens are allowed and another one is denied. */
const keySet = (text: string, allowed: readonly TokenChanges[], denied: TokenChanges): readonly Step[] => [
  ...allowed.map((token): Step => [text, 0, token, 'allowed']),
  [text, 0, denied, 'denied'],
];
/** A key set with the first key, and before it another JWK, which verifies no token of the second key. */
const withJwk = (bad: unknown): readonly Step[] => keySet(jwks(bad, first.jwk), [by(first)], by(second));

const [firstUnnamed, secondUnnamed] = [jwks(withKid(first)), jwks(withKid(second))];

it.each<[string, readonly Step[]]>([
  ['an issuer that is down when it has a new key, and is back a second later', failedRefresh(undefined)],
  ['an issuer whose key set is empty for a while', failedRefresh(jwks())],
  ['an issuer that has only a weak key for a while', failedRefresh(jwks(rsaKey('weak', 1024).jwk))],
  [
    'a new key in place of the old one, without key ids',
    [
      [firstUnnamed, 0, byUnnamed(first), 'allowed'],
      [secondUnnamed, untilRefresh, byUnnamed(second), 'allowed'],
      [secondUnnamed, 0, byUnnamed(first), 'denied'],
    ],
  ],
  [
    'two keys with one id',
    keySet(
      jwks(withKid(first, 'same'), withKid(second, 'same')),
      [bySame(first), bySame(second)],
      bySame(stranger),
    ),
  ],
  [
    'several keys, and tokens without a key id',
    keySet(jwks(first.jwk, second.jwk), [byUnnamed(first), byUnnamed(second)], byUnnamed(stranger)),
  ],
  // The unit tests of key-set.ts test each kind of key that must not be used.
  ['a key with its private part', withJwk(second.privateJwk)],
  ['a symmetric key with the id of another', withJwk(secretKey('first', 'a published secret').jwk)],
])('denies no valid token, and allows no other, with %s', async (_, steps) => {
  const { decide, publish, advanceSeconds } = startAuthorizer(issuer);
  for (const [index, [publishes, secondsLater, changes, outcome]] of steps.entries()) {
    publish(publishes);
    advanceSeconds(secondsLater);
    const decision = await decide(`Bearer ${issuer.token(changes)}`).then(
      ({ isAuthorized }) => (isAuthorized ? 'allowed' : 'denied'),
      (error: unknown) => (error instanceof JwksUnavailable ? 'undecided' : error),
    );
    expect([index, decision]).toEqual([index, outcome]);
  }
});
