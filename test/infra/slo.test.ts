import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { OperationDefinition } from '../../infra/operation-definition.ts';
import { operations } from '../../infra/operations.ts';
import { type Counts, simulateAlarms } from '../support/cloudwatch/simulate-alarms.ts';
import { readProjectFile } from '../support/project-files.ts';
import { propertiesOf } from '../support/template-resources.ts';
import { stackOf, stageNamed, templateOf } from '../support/synthesized.ts';

/** A minute of normal traffic: the number of requests, decisions and log lines, by what happens to them. */
const normal = {
  requests: 600,
  /** Invocations of the list that end without a response. */
  crashed: 0,
  /** Responses with status 400 and an error from 2000 on, each with a log line. */
  retryable: 0,
  /** Requests that take more than 300 ms. */
  slow: 0,
  /** Requests that the gateway refuses above the limit of the stage. */
  throttled: 0,
  /** Requests to routes other than the list. */
  toOtherOperations: 0,
  /** Errors of the authorizer. */
  undecided: 0,
  /** Denials of callers whose token the issuer signed. */
  deniedCallers: 0,
  /** Further requests, whose tokens the issuer did not sign. */
  madeUp: 0,
  /** Results of the authorizer that the gateway cannot use. */
  unusable: 0,
  /** Failed fetches of the key set. */
  keySetFailures: 0,
  /** Log lines of damaged items. */
  damagedItems: 0,
};
type Outcomes = Partial<typeof normal>;

/** The gateway caches a decision, which serves this many requests of a caller. */
const requestsPerDecision = 7;

/** The values of CloudWatch's metrics in a minute. Latency and Duration count requests above 300 ms. */
const countsOf = (outcomes: Outcomes): Counts => {
  const minute = { ...normal, ...outcomes };
  const all = minute.requests + minute.madeUp;
  const refused = minute.throttled + requestsPerDecision * minute.deniedCallers;
  const counts = {
    Count: all,
    '4xx': minute.retryable + refused + minute.madeUp,
    '5xx': minute.crashed + minute.undecided + minute.unusable,
    Latency: minute.slow,
    RetryableErrors: minute.retryable,
    'ListPlants Invocations': minute.requests - minute.toOtherOperations - refused,
    'ListPlants Errors': minute.crashed,
    'ListPlants Duration': minute.slow,
    ListPlantsRetryableErrors: minute.retryable,
    'Authorizer Invocations': minute.requests / requestsPerDecision + minute.madeUp,
    'Authorizer Errors': minute.undecided,
    KeySetFailures: minute.keySetFailures,
    Denials: minute.deniedCallers + minute.madeUp,
    DeniedCallers: minute.deniedCallers,
    DamagedItems: minute.damagedItems,
  };
  return new Map(all === 0 ? [] : Object.entries(counts));
};

const prod = templateOf(stageNamed('prod'));
const alarmsOver = simulateAlarms(prod);

const day = { requests: 600 };
const night = { requests: 0 };

interface Incident {
  readonly title: string;
  /** The hours before and after the incident. */
  readonly around: Outcomes;
  readonly minutes: number;
  /** What differs in each minute of the incident. */
  readonly outcomes: Outcomes;
  /** How many minutes metrics of logs are late. */
  readonly logDelay?: number;
  /** The alarms that mail, each with the first minute of the incident in which it is on. */
  readonly mails: Readonly<Record<string, number>>;
  /** The functions whose release is rolled back, each with the minute. */
  readonly rollsBack: Readonly<Record<string, number>>;
}

/** The first minute of an incident in which each alarm is on. */
const firstMinutes = ({ around, minutes, outcomes, logDelay }: Incident): readonly [string, number][] => {
  const hour = Array.from({ length: 60 }, () => around);
  const incident = Array.from({ length: minutes }, () => outcomes);
  const series = [...hour, ...incident, ...hour].map(countsOf);
  const first = new Map<string, number>();
  for (const [minute, { on }] of alarmsOver(series, { logDelay }).slice(hour.length).entries())
    for (const name of on) if (!first.has(name)) first.set(name, minute + 1);
  return [...first];
};

const incidents: readonly Incident[] = [
  {
    title: 'one request in 2,000 fails',
    around: day,
    minutes: 120,
    outcomes: { crashed: 0.3 },
    mails: {},
    rollsBack: {},
  },
  {
    title: 'every request fails',
    around: day,
    minutes: 1,
    outcomes: { crashed: 600 },
    mails: {},
    rollsBack: {},
  },
  {
    title: 'the key set cannot be fetched',
    around: day,
    minutes: 1,
    outcomes: { keySetFailures: 3 },
    mails: {},
    rollsBack: {},
  },
  {
    title: 'every request fails',
    around: day,
    minutes: 10,
    outcomes: { crashed: 600 },
    mails: { FastBurn: 2 },
    rollsBack: { Authorizer: 2, ListPlants: 2 },
  },
  {
    title: 'the table fails',
    around: day,
    minutes: 10,
    outcomes: { retryable: 600 },
    logDelay: 3,
    mails: { FastBurn: 5 },
    rollsBack: { Authorizer: 5, ListPlants: 5 },
  },
  {
    title: '2 % of requests fail',
    around: day,
    minutes: 120,
    outcomes: { retryable: 12 },
    logDelay: 3,
    mails: { FastBurn: 47 },
    rollsBack: {},
  },
  {
    title: 'half of the requests are slow',
    around: day,
    minutes: 60,
    outcomes: { slow: 300 },
    mails: { FastBurn: 18 },
    rollsBack: { ListPlants: 2 },
  },
  {
    title: 'the issuer does not respond',
    around: day,
    minutes: 10,
    outcomes: { undecided: 9, keySetFailures: 5 },
    logDelay: 3,
    mails: { KeySetFailures: 6 },
    rollsBack: { Authorizer: 2 },
  },
  {
    title: 'a wrong scope denies a tenth of the callers',
    around: day,
    minutes: 30,
    outcomes: { deniedCallers: 9 },
    mails: { DeniedCallers: 2 },
    rollsBack: { Authorizer: 2 },
  },
  {
    title: 'an attacker sends made-up tokens',
    around: day,
    minutes: 30,
    outcomes: { madeUp: 6000 },
    mails: { Refused: 4 },
    rollsBack: {},
  },
  {
    title: 'an attacker sends made-up tokens, and callers are denied',
    around: day,
    minutes: 30,
    outcomes: { madeUp: 6000, deniedCallers: 80 },
    mails: { DeniedCallers: 2, Refused: 4 },
    rollsBack: { Authorizer: 2 },
  },
  {
    title: 'the throttle refuses a fifth',
    around: day,
    minutes: 30,
    outcomes: { throttled: 120 },
    mails: { Refused: 4 },
    rollsBack: {},
  },
  {
    title: 'a damaged item is read once',
    around: day,
    minutes: 1,
    outcomes: { damagedItems: 1 },
    mails: { DamagedItems: 1 },
    rollsBack: {},
  },
  {
    title: 'a canary crashes, and is called rarely',
    around: day,
    minutes: 10,
    outcomes: { crashed: 6, toOtherOperations: 540 },
    mails: {},
    rollsBack: { ListPlants: 2 },
  },
  {
    title: 'a canary has no table',
    around: day,
    minutes: 10,
    outcomes: { retryable: 60 },
    logDelay: 3,
    mails: { FastBurn: 12 },
    rollsBack: { Authorizer: 5, ListPlants: 5 },
  },
  {
    title: 'a canary is slow',
    around: day,
    minutes: 10,
    outcomes: { slow: 60 },
    mails: {},
    rollsBack: { ListPlants: 2 },
  },
  {
    title: 'a canary of the authorizer decides nothing',
    around: day,
    minutes: 10,
    outcomes: { undecided: 9 },
    mails: {},
    rollsBack: { Authorizer: 2 },
  },
  {
    title: 'a canary of the authorizer denies all',
    around: day,
    minutes: 10,
    outcomes: { deniedCallers: 9 },
    logDelay: 3,
    mails: { DeniedCallers: 5 },
    rollsBack: { Authorizer: 5 },
  },
  {
    title: 'a canary of the authorizer returns unusable results',
    around: day,
    minutes: 10,
    outcomes: { unusable: 60 },
    mails: { FastBurn: 9 },
    rollsBack: { Authorizer: 2 },
  },
  {
    title: 'at night, a request a minute fails',
    around: night,
    minutes: 60,
    outcomes: { requests: 1, crashed: 1 },
    mails: { FastBurn: 10 },
    rollsBack: {},
  },
  {
    title: 'at night, all callers are denied',
    around: night,
    minutes: 30,
    outcomes: { requests: 6, deniedCallers: 1 },
    mails: {},
    rollsBack: {},
  },
];

it.each(incidents)(
  'if $title for $minutes minutes, mails in minute $mails and rolls back in minute $rollsBack',
  (incident) => {
    const first = firstMinutes(incident);
    // Of FastBurn, only the alarm without a suffix mails.
    const mailing = first.filter(([name]) => !/^FastBurn.|Release$/.test(name));
    const releases = first.filter(([name]) => name.endsWith('Release'));
    expect(Object.fromEntries(mailing)).toEqual(incident.mails);
    expect(
      Object.fromEntries(releases.map(([name, minute]) => [name.replace('Release', ''), minute])),
    ).toEqual(incident.rollsBack);
  },
);

/** Minutes of which the first `bad` of each `period` are bad. */
interface Rhythm {
  readonly period: number;
  readonly bad: number;
}

/** Periods from 2 to 180 minutes, of which one, two, three or half of the minutes are bad. */
const rhythms = Array.from({ length: 179 }, (_, index) => index + 2).flatMap((period) =>
  [...new Set([1, 2, 3, Math.ceil(period / 2)])]
    .filter((bad) => bad < period)
    .map((bad): Rhythm => ({ period, bad })),
);

const hourBefore = 60;
const isBadMinute = ({ period, bad }: Rhythm, minute: number): boolean =>
  minute >= hourBefore && (minute - hourBefore) % period < bad;

/** A normal hour, then eight hours of a rhythm. */
const seriesOf = (rhythm: Rhythm, outcomes: Outcomes, around: Outcomes): readonly Counts[] => {
  const [badMinute, goodMinute] = [countsOf({ ...around, ...outcomes }), countsOf(around)];
  return Array.from({ length: hourBefore + 480 }, (_, minute) =>
    isBadMinute(rhythm, minute) ? badMinute : goodMinute,
  );
};

/** The minutes in which an alarm mails. */
const mailsOf = (alarm: string, series: readonly Counts[], logDelay = 0): readonly number[] =>
  alarmsOver(series, { logDelay, namePrefix: alarm }).flatMap(({ mailing }, minute) =>
    mailing.map(() => minute),
  );

// Property: in every rhythm, an hour or more lies between two mails of an alarm.
const quiet = { requests: 1 };
it.each<{ alarm: string; outcomes: Outcomes; around: Outcomes; logDelay: number }>([
  { alarm: 'FastBurn', outcomes: { crashed: 600 }, around: day, logDelay: 0 },
  { alarm: 'FastBurn', outcomes: { crashed: 20 }, around: day, logDelay: 0 },
  { alarm: 'FastBurn', outcomes: { retryable: 60 }, around: day, logDelay: 3 },
  { alarm: 'FastBurn', outcomes: { slow: 200 }, around: day, logDelay: 0 },
  { alarm: 'FastBurn', outcomes: { crashed: 1 }, around: quiet, logDelay: 0 },
  { alarm: 'DeniedCallers', outcomes: { deniedCallers: 9 }, around: day, logDelay: 0 },
  { alarm: 'DeniedCallers', outcomes: { deniedCallers: 9 }, around: day, logDelay: 3 },
  { alarm: 'KeySetFailures', outcomes: { keySetFailures: 1 }, around: day, logDelay: 3 },
  { alarm: 'Refused', outcomes: { throttled: 120 }, around: day, logDelay: 0 },
  { alarm: 'DamagedItems', outcomes: { damagedItems: 1 }, around: day, logDelay: 3 },
])(
  '$alarm mails at most once an hour in any rhythm of $outcomes, with logs $logDelay minutes late',
  { timeout: 60_000 },
  ({ alarm, outcomes, around, logDelay }) => {
    const tooOften = rhythms.flatMap((rhythm) => {
      const mails = mailsOf(alarm, seriesOf(rhythm, outcomes, around), logDelay);
      const isTooOften = mails.some((minute, index) => minute - (mails[index - 1] ?? -60) < 60);
      return isTooOften ? [{ ...rhythm, mails }] : [];
    });
    expect(tooOften).toEqual([]);
  },
);

// Property: in every rhythm, an alarm first mails when enough minutes of its window are bad.
it.each<{ alarm: string; needed: number; window: number; outcomes: Outcomes }>([
  { alarm: 'DeniedCallers', needed: 2, window: 5, outcomes: { deniedCallers: 9 } },
  { alarm: 'KeySetFailures', needed: 3, window: 8, outcomes: { keySetFailures: 1 } },
  { alarm: 'Refused', needed: 4, window: 6, outcomes: { throttled: 120 } },
])(
  '$alarm mails as soon as $needed of the last $window minutes are bad, in any rhythm',
  ({ alarm, needed, window, outcomes }) => {
    const wrong = rhythms.filter((rhythm) => {
      const series = seriesOf(rhythm, outcomes, day);
      const isBad = series.map((_, minute) => isBadMinute(rhythm, minute));
      const expected = isBad.findIndex(
        (_, minute) =>
          isBad.slice(Math.max(0, minute + 1 - window), minute + 1).filter(Boolean).length >= needed,
      );
      return (mailsOf(alarm, series)[0] ?? -1) !== expected;
    });
    expect(wrong).toEqual([]);
  },
);

it('no alarm has more metrics or expressions than CloudWatch allows, which is ten of each', () => {
  const metrics = z.array(z.object({ Expression: z.string().optional() })).default([]);
  for (const properties of propertiesOf(prod, 'AWS::CloudWatch::Alarm')) {
    const all = metrics.parse(properties['Metrics']);
    const expressions = all.filter(({ Expression }) => Expression !== undefined);
    expect([expressions.length <= 10, all.length - expressions.length <= 10]).toEqual([true, true]);
  }
});

/** What CloudWatch charges for the alarms of prod with these operations. */
const chargedFor = (definitions: readonly OperationDefinition[]) => {
  const template = Template.fromStack(stackOf(stageNamed('prod'), { definitions }));
  const queries = z.array(z.object({ MetricStat: z.unknown().optional() })).default([{ MetricStat: {} }]);
  const watched = propertiesOf(template, 'AWS::CloudWatch::Alarm').flatMap(({ Metrics }) =>
    queries.parse(Metrics).filter(({ MetricStat }) => MetricStat !== undefined),
  );
  const transformations = z.tuple([z.object({ MetricName: z.string() })]);
  const counted = propertiesOf(template, 'AWS::Logs::MetricFilter').map(
    ({ MetricTransformations }) => transformations.parse(MetricTransformations)[0].MetricName,
  );
  const composites = propertiesOf(template, 'AWS::CloudWatch::CompositeAlarm').length;
  const [metrics, logMetrics] = [watched.length, new Set(counted).size];
  const dollars = (metrics * 10 + composites * 50 + logMetrics * 30) / 100;
  return { metrics, composites, logMetrics, dollars };
};

it('docs/slo.md has the cost of the alarms of prod', () => {
  const first = operations.slice(0, 1);
  const second = first.map((operation) => ({ ...operation, id: 'Other', route: 'GET /other' as const }));
  const [one, two] = [chargedFor(first), chargedFor([...first, ...second])];
  const text = readProjectFile('docs/slo.md').replaceAll(/\s+/g, ' ');
  const [stated] = /`prod` costs [^:]+: [^:]+ from logs at \$0\.30/.exec(text) ?? [];
  const [metrics, composites, logMetrics] = [one.metrics, one.composites, one.logMetrics].map(String);
  expect(stated).toBe(
    `\`prod\` costs $${one.dollars.toFixed(2)} a month: ${metrics ?? ''} metrics in alarms at $0.10, ` +
      `${composites ?? ''} composite alarms at $0.50, and ${logMetrics ?? ''} metrics from logs at $0.30`,
  );
  expect(text).toContain(
    `Each operation but the first costs $${(two.dollars - one.dollars).toFixed(2)} more.`,
  );
});
