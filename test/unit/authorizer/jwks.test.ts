import { expect, it } from 'vitest';
import { jwksCache, type JwksCache, JwksUnavailable } from '../../../functions/authorizer/jwks.ts';
import type { JsonObject } from '../../../functions/shared/json-object.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { ecKey } from '../../support/tokens.ts';

const [{ jwk: oldKey }, { jwk: newKey }] = [ecKey('old'), ecKey('new')];
const second = 1000;
const minute = 60 * second;
const refusal = Object.assign(new Error('secret'), { code: 'ECONNREFUSED' });

/** What the issuer publishes; undefined: it is down. */
const responses = {
  down: undefined,
  old: { keys: [oldKey] },
  new: { keys: [newKey] },
  both: { keys: [oldKey, newKey] },
  'no key set': {},
} as const satisfies Record<string, JsonObject | undefined>;

/** A cache of an issuer's keys. The test sets what the issuer publishes, and the clock. */
const cache = () => {
  const issuer: { now: number; publishes: keyof typeof responses; fetches: number } = {
    now: Date.UTC(2030, 0, 1),
    publishes: 'down',
    fetches: 0,
  };
  const log = recordingLog();
  const fetchJwks = (): Promise<JsonObject> => {
    issuer.fetches += 1;
    const response = responses[issuer.publishes];
    return response === undefined ? Promise.reject(refusal) : Promise.resolve(response);
  };
  const jwks = jwksCache({ algorithms: ['ES256'], fetchJwks, now: () => issuer.now, log });
  return { issuer, log, jwks };
};

type Step = readonly [
  millisecondsLater: number,
  publishes: keyof typeof responses,
  asked: keyof JwksCache,
  foundIds: string,
  fetchesSoFar: number,
];

const start: Step = [0, 'old', 'current', 'old', 1];
const unavailable = ['error', { event: 'key-set-unavailable', cause: 'ECONNREFUSED' }];
const refreshFailed = (ageSeconds: number, cause = 'ECONNREFUSED') => [
  'warn',
  { event: 'key-set-refresh-failed', ageSeconds, cause },
];

it.each<[string, steps: readonly Step[], log: readonly unknown[]]>([
  [
    'are fetched again after ten minutes',
    [
      start,
      [10 * minute - 1, 'new', 'current', 'old', 1],
      [1, 'new', 'current', 'new', 2],
      [0, 'new', 'current', 'new', 2],
    ],
    [],
  ],
  [
    'are fetched again for a token that they do not verify, once they are five seconds old',
    [
      start,
      [5 * second - 1, 'both', 'latest', 'old', 1],
      [1, 'both', 'latest', 'old new', 2],
      [0, 'both', 'latest', 'old new', 2],
      [0, 'both', 'current', 'old new', 2],
    ],
    [],
  ],
  [
    'are used for an hour while the issuer is down, with one warning for each failed fetch',
    [
      start,
      [15 * minute, 'down', 'current', 'old', 2],
      [0, 'down', 'current', 'old', 2],
      [45 * minute - 1.6 * second, 'down', 'current', 'old', 3],
      [1.6 * second - 1, 'down', 'current', 'old', 4],
      [1, 'down', 'current', 'unavailable', 4],
      [second, 'down', 'current', 'unavailable', 5],
    ],
    [refreshFailed(900), refreshFailed(3598), refreshFailed(3600), unavailable],
  ],
  [
    'are fetched again a second after a failed fetch, if there is a copy',
    [
      start,
      [minute, 'down', 'latest', 'unavailable', 2],
      [second - 1, 'new', 'latest', 'unavailable', 2],
      [1, 'new', 'latest', 'new', 3],
    ],
    [refreshFailed(60)],
  ],
  [
    'are fetched again a second after a failed fetch, if there is no copy',
    [
      [0, 'down', 'latest', 'unavailable', 1],
      [second - 1, 'new', 'latest', 'unavailable', 1],
      [1, 'new', 'latest', 'new', 2],
    ],
    [unavailable],
  ],
  [
    'are fetched again when the clock was set back',
    [
      start,
      [minute, 'down', 'latest', 'unavailable', 2],
      [-60 * minute, 'down', 'current', 'old', 3],
      [-second, 'new', 'latest', 'new', 4],
    ],
    [refreshFailed(60), refreshFailed(-3540)],
  ],
  [
    'are not replaced by a response that is no key set',
    [start, [10 * minute, 'no key set', 'current', 'old', 2]],
    [refreshFailed(600, 'NoKeySet')],
  ],
])('the issuer’s keys %s', async (_, steps, logged) => {
  const { issuer, log, jwks } = cache();
  for (const [later, publishes, asked, found, fetches] of steps) {
    issuer.now += later;
    issuer.publishes = publishes;
    const outcome = await jwks[asked]().then(
      ({ keys }) => keys.map(({ kid }) => kid).join(' '),
      (error: unknown) => (error instanceof JwksUnavailable ? 'unavailable' : error),
    );
    expect([outcome, issuer.fetches]).toEqual([found, fetches]);
  }
  expect(log.entries).toEqual(logged);
});

it('concurrent requests share one fetch', async () => {
  const { issuer, jwks } = cache();
  issuer.publishes = 'old';
  await Promise.all([jwks.current(), jwks.latest(), jwks.current()]);
  expect(issuer.fetches).toBe(1);
});

it('the error for unavailable keys has the cause, but not in its message', async () => {
  const message = 'The key set of the issuer is not available.';
  const error: unknown = await cache()
    .jwks.current()
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'JwksUnavailable', message, cause: refusal });
});
