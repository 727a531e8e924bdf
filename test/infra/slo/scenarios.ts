import type { Minute } from './traffic.ts';

/** A series of minutes, and the alarms that go off. */
export interface Scenario {
  readonly name: string;
  /** What happens in each minute from 0; before, and after these, it is a normal day. */
  readonly minutes: readonly Minute[];
  /** Before and after. */
  readonly normal: Minute;
  /** Each with the minutes in which it is on: `FastBurn 1-5` is from the end of the first to the end of the fifth. */
  readonly alarms: string;
}

const times = (count: number, minute: Minute): readonly Minute[] =>
  Array.from({ length: count }, () => minute);

type Row = readonly [
  name: string,
  count: number,
  change: Partial<Minute>,
  alarms: string,
  atManyRequests?: string,
];

const madeUpTokens = 6000;
const outage = 'FastBurn 1-14, ListPlantsRelease 2-13, Release 2-13, SlowBurn 3-39';
const badCanary = 'ListPlantsRelease 2-8, Release 2-8';

/** A canary gives the new version a tenth of the requests for five minutes. */
const rows: readonly Row[] = [
  ['a normal day, one request in 2,000 fails', 720, { serverErrorShare: 0.0005 }, ''],
  ['three unlucky requests', 1, { serverErrors: 3 }, ''],
  ['one bad minute: every request fails', 1, { serverErrorShare: 1 }, 'FastBurn 1-5'],
  ['an outage of ten minutes', 10, { serverErrorShare: 1 }, outage],
  ['the table fails for ten minutes', 10, { retryableShare: 1 }, outage],
  ['2 % fail for two hours', 120, { retryableShare: 0.02 }, 'FastBurn 44-121, SlowBurn 108-141'],
  ['0.8 % fail for twelve hours', 720, { retryableShare: 0.008 }, 'SlowBurn 260-728', 'SlowBurn 270-727'],
  [
    'half are slow for an hour',
    60,
    { slowShare: 0.5 },
    'ListPlantsRelease 2-63, Release 2-63, FastBurn 18-63, SlowBurn 44-86',
  ],
  ['a tenth is slow for ten minutes', 10, { slowShare: 0.1 }, 'ListPlantsRelease 2-13, Release 2-13'],
  [
    '8 % are slow for eight hours',
    480,
    { slowShare: 0.08 },
    'ListPlantsRelease 2-483, Release 2-483, SlowBurn 270-487',
  ],
  [
    'the issuer is out for ten minutes: one decision in ten fails',
    10,
    { failedDecisionShare: 0.1, keySetFailures: 5 },
    'Release 2-13, KeySetFailures 3-12',
  ],
  ['three fetches of the key set fail within a minute', 1, { keySetFailures: 3 }, ''],
  [
    'the stage’s audience is wrong: all are denied',
    30,
    { deniedShare: 1 },
    'DeniedCallers 2-33, Refused 3-32',
  ],
  ['the stage’s scope is wrong for a tenth', 30, { deniedShare: 0.1 }, 'DeniedCallers 2-33'],
  ['a tenth of the callers retry expired tokens', 30, { expiredTokens: 60 }, ''],
  ['an attacker with made-up tokens, 100 per second', 30, { madeUpTokens }, 'Refused 3-32', ''],
  [
    'an attacker who repeats an expired token, 100 per second',
    30,
    { oneExpiredToken: 6000 },
    'Refused 3-32',
    '',
  ],
  ['20 % of the requests exceed the throttle', 30, { tooManyRequestsShare: 0.2 }, 'Refused 3-32'],
  ['80 % of the throttle is reached', 30, { requests: 48_000 }, 'NearThrottle 2-33'],
  ['a damaged item is read once', 1, { damagedItems: 1 }, 'DamagedItems 1-5'],
  ['canary of a good release', 5, {}, ''],
  ['canary of a good release, and three unlucky requests', 5, { serverErrors: 0.6 }, ''],
  ['canary of a good release, and made-up tokens', 5, { madeUpTokens }, 'Refused 3-7', ''],
  [
    'canary of a good release, made-up tokens, and failing fetches of the key set',
    5,
    { madeUpTokens, undecidedTokens: 100, keySetFailures: 1 },
    'Release 2-8, KeySetFailures 3-7, Refused 3-7',
    'KeySetFailures 3-7',
  ],
  ['canary of a good release, and a tenth of the lists fail', 5, { retryableShare: 0.1 }, badCanary],
  ['canary of a list function that crashes', 5, { serverErrorShare: 0.1 }, badCanary],
  ['canary of a list function that cannot read the table', 5, { retryableShare: 0.1 }, badCanary],
  ['canary of a list function that fails for one request in five', 5, { retryableShare: 0.02 }, ''],
  [
    'canary of a list function that crashes, while nine requests in ten go to other operations',
    5,
    { otherShare: 0.9, serverErrorShare: 0.1 },
    'ListPlantsRelease 2-8',
  ],
  ['canary of a slow list function', 5, { slowShare: 0.1 }, badCanary],
  ['canary of an authorizer that throws', 5, { failedDecisionShare: 0.1 }, 'Release 2-8'],
  ['canary of an authorizer that denies all', 5, { deniedShare: 0.1 }, 'DeniedCallers 2-8'],
  [
    'canary of an authorizer that denies all, and made-up tokens',
    5,
    { deniedShare: 0.1, madeUpTokens },
    'DeniedCallers 2-8, Refused 3-7',
  ],
  [
    'canary of a list function that crashes, and made-up tokens',
    5,
    { serverErrorShare: 0.1, madeUpTokens },
    `${badCanary}, Refused 3-7`,
    badCanary,
  ],
];

/** What a stage meets at a steady rate of requests per second. */
export const scenariosAt = (rate: 10 | 500): readonly Scenario[] =>
  rows.map(([name, count, change, alarms, atManyRequests = alarms]) => {
    const normal: Minute = { requests: rate * 60 };
    const minutes = times(count, { ...normal, ...change });
    return { name, normal, minutes, alarms: rate === 10 ? alarms : atManyRequests };
  });

const none: Minute = { requests: 0 };
const inAMinute = (requests: number, name: string, alarms: string, ...minutes: Minute[]): Scenario => ({
  name,
  normal: { requests },
  minutes,
  alarms,
});

/** With few requests, as at night. */
export const nights: readonly Scenario[] = [
  inAMinute(0, 'a night without traffic', '', ...times(480, none)),
  inAMinute(0, 'a night without traffic, and one request that fails', '', { requests: 1, serverErrors: 1 }),
  inAMinute(
    0,
    'an attacker at night with made-up tokens',
    'Refused 3-32',
    ...times(30, { requests: 0, madeUpTokens }),
  ),
  inAMinute(
    0,
    'two clients at night that retry expired tokens',
    '',
    ...times(30, { requests: 0, expiredTokens: 12 }),
  ),
  inAMinute(1, 'a request a minute, and one fails', '', { requests: 1, serverErrors: 1 }),
  inAMinute(6, 'six requests a minute, and three fail in a minute', '', { requests: 6, serverErrors: 3 }),
  inAMinute(
    60,
    '15 % are slow for two hours',
    'FastBurn 58-120',
    ...times(120, { requests: 60, slowShare: 0.15 }),
  ),
  inAMinute(1, 'all fail for an hour', 'SlowBurn 3-89', ...times(60, { requests: 1, serverErrors: 1 })),
];
