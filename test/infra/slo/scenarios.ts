import { signedTokenDenials, unsignedTokenDenials } from '../../../functions/shared/log-events.ts';
import { countedReasons, type Minute } from './traffic.ts';

/** A series of minutes, and the alarms that fire. */
export interface Scenario {
  readonly name: string;
  /** The traffic of each minute from 0. */
  readonly minutes: readonly Minute[];
  /** The traffic of each minute before and after. */
  readonly normal: Minute;
  /** By how many minutes metrics from logs arrive after the others; default: 0. */
  readonly logsLate?: number;
  /** Each with its minutes: `FastBurn 1-5` is on from the end of the first to the end of the fifth. */
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
const outage = 'FastBurn 1-19, ListPlantsRelease 2-13, Release 2-13, SlowBurn 3-39';
const badCanary = 'ListPlantsRelease 2-13, Release 2-13, FastBurn 9-19';

/** The minutes in which a canary routes a tenth of the requests to the new version. */
const canary = 10;

const rows: readonly Row[] = [
  ['a normal day, one request in 2,000 fails', 720, { serverErrorShare: 0.0005 }, ''],
  ['a three-second blip: every request fails', 1, { serverErrorShare: 3 / 60 }, ''],
  ['one bad minute: every request fails', 1, { serverErrorShare: 1 }, 'FastBurn 1-10'],
  ['an outage of ten minutes', 10, { serverErrorShare: 1 }, outage],
  ['the table fails for ten minutes', 10, { retryableShare: 1 }, outage],
  ['2 % fail for two hours', 120, { retryableShare: 0.02 }, 'FastBurn 44-126, SlowBurn 108-141'],
  ['one caller of sixty fails for two hours', 120, { retryableShare: 1 / 60 }, 'FastBurn 52-125'],
  ['0.8 % fail for twelve hours', 720, { retryableShare: 0.008 }, 'SlowBurn 260-728', 'SlowBurn 270-727'],
  [
    'half are slow for an hour',
    60,
    { slowShare: 0.5 },
    'ListPlantsRelease 2-63, Release 2-63, FastBurn 18-68, SlowBurn 44-86',
  ],
  [
    'the issuer is out for ten minutes: one decision in ten fails',
    10,
    { failedDecisionShare: 0.1, keySetFailures: 5 },
    'Release 2-13, KeySetFailures 3-15',
  ],
  ['three fetches of the key set fail within a minute', 1, { keySetFailures: 3 }, ''],
  ['the stage’s scope is wrong for a tenth', 30, { deniedShare: 0.1, reason: 'scope' }, 'DeniedCallers 2-33'],
  ['clients retry expired tokens, one per second', 30, { expiredTokens: 60 }, ''],
  ['an attacker with made-up tokens, 100 per second', 30, { madeUpTokens }, 'Refused 4-32', ''],
  ['20 % of the requests exceed the throttle', 30, { tooManyRequestsShare: 0.2 }, 'Refused 4-32'],
  ['80 % of the throttle is reached', 30, { requests: 48_000 }, 'NearThrottle 2-33'],
  ['a damaged item is read once', 1, { damagedItems: 1 }, 'DamagedItems 1-720'],
  ['canary of a good release', canary, {}, ''],
  ['canary of a good release, and three unlucky requests', canary, { serverErrors: 0.6 }, ''],
  ['canary of a good release, and made-up tokens', canary, { madeUpTokens }, 'Refused 4-12', ''],
  [
    'canary of a good release, made-up tokens, and failing fetches of the key set',
    canary,
    { madeUpTokens, undecidedTokens: 100, keySetFailures: 1 },
    'Release 2-13, KeySetFailures 3-15, Refused 4-12',
    'KeySetFailures 3-15',
  ],
  ['canary of a list function that crashes', canary, { serverErrorShare: 0.1 }, badCanary],
  ['canary of a list function that cannot read the table', canary, { retryableShare: 0.1 }, badCanary],
  ['canary of a list function that fails for one request in five', canary, { retryableShare: 0.02 }, ''],
  [
    'canary of a list function that crashes, while nine requests in ten go to other operations',
    canary,
    { otherShare: 0.9, serverErrorShare: 0.1 },
    'ListPlantsRelease 2-13',
  ],
  ['canary of a slow list function', canary, { slowShare: 0.1 }, 'ListPlantsRelease 2-13, Release 2-13'],
  ['canary of an authorizer that throws', canary, { failedDecisionShare: 0.1 }, 'Release 2-13'],
  [
    'canary of a list function that crashes, and made-up tokens',
    canary,
    { serverErrorShare: 0.1, madeUpTokens },
    'ListPlantsRelease 2-13, Release 2-13, Refused 4-12',
    badCanary,
  ],
];

/** A version that denies everybody, for each reason, after its release and in the canary. */
const denials = [...unsignedTokenDenials, ...signedTokenDenials].flatMap((reason): readonly Row[] => {
  const isCounted = countedReasons.includes(reason);
  return [
    [
      `all are denied for ${reason}`,
      30,
      { deniedShare: 1, reason },
      isCounted ? 'DeniedCallers 2-33, Refused 4-32' : 'Refused 4-32',
    ],
    [
      `canary of an authorizer that denies all for ${reason}`,
      canary,
      { deniedShare: 0.1, reason },
      isCounted ? 'DeniedCallers 2-13' : '',
    ],
  ];
});

/** Metrics from logs arrive three minutes after the others. */
const withLateLogs: readonly Row[] = [
  [
    'the table fails for ten minutes',
    10,
    { retryableShare: 1 },
    'FastBurn 4-19, ListPlantsRelease 5-13, Release 5-13, SlowBurn 6-39',
  ],
  ['2 % fail for two hours', 120, { retryableShare: 0.02 }, 'FastBurn 47-126, SlowBurn 111-141'],
  [
    'the issuer is out for ten minutes',
    10,
    { failedDecisionShare: 0.1, keySetFailures: 5 },
    'Release 2-13, KeySetFailures 6-15',
  ],
  ['canary of an authorizer that denies all', canary, { deniedShare: 0.1 }, 'DeniedCallers 5-13'],
];

const scenariosOf = (of: readonly Row[], rate: number, logsLate: number): readonly Scenario[] =>
  of.map(([name, count, change, alarms, atManyRequests = alarms]) => {
    const normal: Minute = { requests: rate * 60 };
    const minutes = times(count, { ...normal, ...change });
    const suffix = logsLate === 0 ? '' : `, logs ${String(logsLate)} minutes late`;
    return { name: name + suffix, normal, minutes, logsLate, alarms: rate === 10 ? alarms : atManyRequests };
  });

/** The scenarios at a steady rate of requests per second. */
export const scenariosAt = (rate: 10 | 500): readonly Scenario[] => [
  ...scenariosOf([...rows, ...denials], rate, 0),
  ...scenariosOf(withLateLogs, rate, 3),
];

const nightOf = (requests: number, name: string, alarms: string, ...minutes: Minute[]): Scenario => ({
  name,
  normal: { requests },
  minutes,
  alarms,
});

/** Scenarios with few requests, as at night. */
export const nights: readonly Scenario[] = [
  nightOf(0, 'a night without traffic, and one request that fails', '', { requests: 1, serverErrors: 1 }),
  nightOf(6, 'six requests a minute, and three fail in a minute', '', { requests: 6, serverErrors: 3 }),
  nightOf(
    1,
    'two requests fail five hours apart',
    '',
    ...Array.from({ length: 301 }, (_, minute): Minute =>
      minute % 300 === 0 ? { requests: 1, serverErrors: 1 } : { requests: minute % 6 === 0 ? 0 : 1 },
    ),
  ),
  nightOf(30, 'all are denied, at 30 requests a minute', '', ...times(30, { requests: 30, deniedShare: 1 })),
  nightOf(
    6,
    'a damaged item is read every ten minutes for a day',
    'DamagedItems 1-2150',
    ...Array.from({ length: 1440 }, (_, minute): Minute => ({
      requests: 6,
      damagedItems: minute % 10 === 0 ? 1 : 0,
    })),
  ),
  nightOf(
    1,
    'a request a minute, and all fail for an hour',
    'SlowBurn 10-89',
    ...times(60, { requests: 1, serverErrors: 1 }),
  ),
];
