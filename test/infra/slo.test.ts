import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { OperationDefinition } from '../../infra/operation-definition.ts';
import { operations } from '../../infra/operations.ts';
import { type Counts, simulateAlarms } from '../support/cloudwatch/simulate-alarms.ts';
import { readProjectFile } from '../support/project-files.ts';
import { propertiesOf } from '../support/template-resources.ts';
import { stackOf, stageNamed, templateOf } from '../support/synthesized.ts';

/** How many requests, decisions and log lines of a minute have an outcome. */
const normal = {
  ...{ requests: 600, crashed: 0, retryable: 0, slow: 0, throttled: 0, toOtherOperations: 0 },
  // The gateway caches a caller's decision for seven requests, and cannot use some results.
  ...{ undecided: 0, deniedCallers: 0, madeUp: 0, unusable: 0, keySetFailures: 0, damagedItems: 0 },
};
type Outcomes = Partial<typeof normal>;

/** What CloudWatch counts in a minute, by metric and function; of latencies, those over 300 ms. */
const countsOf = (change: Outcomes): Counts => {
  const { requests, crashed, retryable, slow, deniedCallers, madeUp, ...more } = { ...normal, ...change };
  const refused = more.throttled + 7 * deniedCallers;
  const listed = requests - more.toOtherOperations - refused;
  const counts = {
    ...{ Count: requests + madeUp, '4xx': retryable + refused + madeUp, Latency: slow },
    ...{ '5xx': crashed + more.undecided + more.unusable, RetryableErrors: retryable },
    ...{ 'ListPlants Invocations': listed, 'ListPlants Errors': crashed, 'ListPlants Duration': slow },
    ...{ 'Authorizer Invocations': requests / 7 + madeUp, 'Authorizer Errors': more.undecided },
    ...{ ListPlantsRetryableErrors: retryable, KeySetFailures: more.keySetFailures },
    ...{ Denials: deniedCallers + madeUp, DeniedCallers: deniedCallers, DamagedItems: more.damagedItems },
  };
  return new Map(requests + madeUp === 0 ? [] : Object.entries(counts));
};

const prod = templateOf(stageNamed('prod'));
const alarmsOver = simulateAlarms(prod);

/** The first minute of each alarm that fires. Logs can arrive minutes late. */
const firstMinutes = (
  series: readonly Outcomes[],
  around: Outcomes,
  late: number,
): ReadonlyMap<string, number> => {
  const before = Array.from({ length: 60 }, () => around);
  const minutes = alarmsOver([...before, ...series, ...before].map(countsOf), { logDelay: late }).slice(
    before.length,
  );
  const first = new Map<string, number>();
  for (const [minute, { on }] of minutes.entries())
    for (const name of on) if (!first.has(name)) first.set(name, minute + 1);
  return first;
};

const day = { requests: 600 };
const night = { requests: 0 };
const madeUp = 6000;

// prettier-ignore
it.each<[Outcomes, string, number, Outcomes, mails: string, rollbacks: string, late?: number]>([
  [day, 'one request in 2,000 fails', 120, { crashed: 0.3 }, '', ''],
  [day, 'one bad minute: every request fails', 1, { crashed: 600 }, '', ''],
  [day, 'one bad minute: the key set cannot be fetched', 1, { keySetFailures: 3 }, '', ''],
  [day, 'an outage', 10, { crashed: 600 }, 'FastBurn 2', 'Authorizer 2, ListPlants 2'],
  [day, 'the table fails', 10, { retryable: 600 }, 'FastBurn 5', 'Authorizer 5, ListPlants 5', 3],
  [day, '2 % fail', 120, { retryable: 12 }, 'FastBurn 47', '', 3],
  [day, 'half are slow', 60, { slow: 300 }, 'FastBurn 18', 'ListPlants 2'],
  [day, 'the issuer is out', 10, { undecided: 9, keySetFailures: 5 }, 'KeySetFailures 6', 'Authorizer 2', 3],
  [day, 'a wrong scope denies a tenth', 30, { deniedCallers: 9 }, 'DeniedCallers 2', 'Authorizer 2'],
  [day, 'made-up tokens', 30, { madeUp }, 'Refused 4', ''],
  [day, 'made-up & denied', 30, { madeUp, deniedCallers: 80 }, 'DeniedCallers 2, Refused 4', 'Authorizer 2'],
  [day, 'the throttle refuses a fifth', 30, { throttled: 120 }, 'Refused 4', ''],
  [day, 'a damaged item is read once', 1, { damagedItems: 1 }, 'DamagedItems 1', ''],
  [day, 'canary that crashes, called rarely', 10, { crashed: 6, toOtherOperations: 540 }, '', 'ListPlants 2'],
  [day, 'canary without a table', 10, { retryable: 60 }, 'FastBurn 12', 'Authorizer 5, ListPlants 5', 3],
  [day, 'canary that is slow', 10, { slow: 60 }, '', 'ListPlants 2'],
  [day, 'canary that decides nothing', 10, { undecided: 9 }, '', 'Authorizer 2'],
  [day, 'canary that denies all', 10, { deniedCallers: 9 }, 'DeniedCallers 5', 'Authorizer 5', 3],
  [day, 'canary with unusable decisions', 10, { unusable: 60 }, 'FastBurn 9', 'Authorizer 2'],
  [night, 'a request a minute fails', 60, { requests: 1, crashed: 1 }, 'FastBurn 10', ''],
  [night, 'all callers are denied', 30, { requests: 6, deniedCallers: 1 }, '', ''],
])('with %j a minute, notifies and rolls back as listed: %s, for %i minutes',
  (around, _, minutes, change, mails, rollbacks, late = 0) => {
  const first = firstMinutes(Array.from({ length: minutes }, () => change), around, late);
  const texts = [...first].map(([name, minute]) => `${name} ${String(minute)}`);
  const named = (pattern: RegExp): string => texts.filter((text) => pattern.test(text)).join(', ');
  expect(named(/^(?!FastBurn\w|.*Release)/)).toBe(mails);
  expect(named(/Release/).replaceAll('Release', '')).toBe(rollbacks);
});

/** An hour as usual, and eight hours of a rhythm: bad minutes at the start of each period. */
const rhythm = (period: number, bad: number, change: Outcomes, around: Outcomes): readonly Counts[] => {
  const [worse, usual] = [countsOf({ ...around, ...change }), countsOf(around)];
  const isBad = (minute: number): boolean => minute >= 0 && minute % period < bad;
  return Array.from({ length: 540 }, (_, index) => (isBad(index - 60) ? worse : usual));
};

/** Periods from 2 to 180 minutes with bad parts of several lengths. */
const rhythms = Array.from({ length: 179 }, (_, index) => index + 2).flatMap((period) =>
  [...new Set([1, 2, 3, Math.ceil(period / 2)])]
    .filter((bad) => bad < period)
    .map((bad): [period: number, bad: number] => [period, bad]),
);

/** The minutes in which an alarm mails. */
const mailsOf = (alarm: string, counts: readonly Counts[], late = 0): readonly number[] =>
  alarmsOver(counts, { logDelay: late, namePrefix: alarm }).flatMap(({ mailing }, minute) =>
    mailing.map(() => minute),
  );

const quiet = { requests: 1 };

it.each<[alarm: string, Outcomes, Outcomes?, late?: number]>([
  ['FastBurn', { crashed: 600 }],
  ['FastBurn', { crashed: 20 }],
  ['FastBurn', { retryable: 60 }, day, 3],
  ['FastBurn', { slow: 200 }],
  ['FastBurn', { crashed: 1 }, quiet],
  ['DeniedCallers', { deniedCallers: 9 }],
  ['DeniedCallers', { deniedCallers: 9 }, day, 3],
  ['KeySetFailures', { keySetFailures: 1 }, day, 3],
  ['Refused', { throttled: 120 }],
  ['DamagedItems', { damagedItems: 1 }, day, 3],
])(
  '%s mails at most once an hour in any rhythm of minutes with %j',
  { timeout: 60_000 },
  (alarm, change, around = day, late = 0) => {
    const tooOften = rhythms.flatMap(([period, bad]) => {
      const mails = mailsOf(alarm, rhythm(period, bad, change, around), late);
      const isTooOften = mails.some((minute, index) => minute - (mails[index - 1] ?? -60) < 60);
      return isTooOften ? [`${String(bad)} of ${String(period)} minutes: ${mails.join(', ')}`] : [];
    });
    expect(tooOften).toEqual([]);
  },
);

it.each<[alarm: string, needed: number, window: number, Outcomes]>([
  ['DeniedCallers', 2, 5, { deniedCallers: 9 }],
  ['KeySetFailures', 3, 8, { keySetFailures: 1 }],
  ['Refused', 4, 6, { throttled: 120 }],
])(
  '%s mails as soon as %i of the last %i minutes are bad, in any rhythm',
  (alarm, needed, window, change) => {
    const wrong = rhythms.filter(([period, length]) => {
      const counts = rhythm(period, length, change, day);
      const isBad = counts.map((each) => each !== counts[0]);
      const first = counts.findIndex(
        (_, minute) =>
          isBad.slice(Math.max(0, minute + 1 - window), minute + 1).filter(Boolean).length >= needed,
      );
      return (mailsOf(alarm, counts)[0] ?? -1) !== first;
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

/** What CloudWatch charges for the alarms of prod with some operations. */
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
  const second = first.map((each) => ({ ...each, id: 'Other', route: 'GET /other' as const }));
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
