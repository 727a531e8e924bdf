import { compileFunction } from 'node:vm';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { propertiesOf } from '../support/resources.ts';
import { stageNamed, templateOf } from '../support/synthesized.ts';

/** How many requests, decisions and log lines of a minute have an outcome. */
const normal = {
  ...{ requests: 600, crashed: 0, retryable: 0, slow: 0, throttled: 0, toOtherOperations: 0 },
  // The gateway caches a caller's decision for seven requests, and cannot use some results.
  ...{ undecided: 0, deniedCallers: 0, madeUp: 0, unusable: 0, keySetFailures: 0, damagedItems: 0 },
};
type Minute = Partial<typeof normal>;

/** What CloudWatch counts in a minute, by metric and function; of latencies, those over 300 ms. */
const countsOf = (change: Minute): ReadonlyMap<string, number> => {
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

const metricSchema = z
  .object({ MetricName: z.string(), Dimensions: z.array(z.unknown()).default([]) })
  .transform(({ MetricName, Dimensions }) => {
    const [functionId] = /Authorizer|ListPlants/.exec(JSON.stringify(Dimensions)) ?? [];
    return functionId === undefined ? MetricName : `${functionId} ${MetricName}`;
  });
const metricStat = z.object({ Metric: metricSchema, Period: z.number(), Stat: z.string() }).optional();
const query = z.object({ Id: z.string(), Expression: z.string().optional(), MetricStat: metricStat });
const alarmSchema = z.looseObject({
  ...{ AlarmName: z.string(), Metrics: z.array(query).optional(), Threshold: z.number() },
  ...{ DatapointsToAlarm: z.number(), EvaluationPeriods: z.number() },
  ComparisonOperator: z.literal('GreaterThanOrEqualToThreshold'),
  TreatMissingData: z.literal('notBreaching'),
});

/** CloudWatch's functions of metric math. The rest of its syntax is that of JavaScript. */
const functions = {
  IF: (condition: boolean, then: number, otherwise: number) => (condition ? then : otherwise),
  FILL: (value: number, filling: number) => (Number.isNaN(value) ? filling : value),
  MAX: (values: readonly number[]) => Math.max(...values),
};
const compiled = new Map<string, ReturnType<typeof compileFunction>>();
const evaluate = (expression: string, valueOf: (id: string) => number): number => {
  const ids = [...new Set(expression.match(/\b[a-z]\w*/g))];
  const parameters = [...Object.keys(functions), ...ids];
  const run = compiled.get(expression) ?? compileFunction(`return ${expression}`, parameters);
  compiled.set(expression, run);
  return Number(Reflect.apply(run, undefined, [...Object.values(functions), ...ids.map(valueOf)]));
};

/** The sum of a metric over the minutes that end with the last one; NaN without data. */
type SumOf = (metric: string, last: number, minutes: number) => number;

/** The value of an alarm over the period that ends with a minute. */
const valueOf = ({ metric, queries }: (typeof alarms)[number], sumOf: SumOf, last: number): number => {
  if (queries.size === 0) return sumOf(metric, last, 1);
  const valueOfQuery = (id: string): number => {
    const { Expression = '', MetricStat } = queries.get(id) ?? {};
    if (MetricStat === undefined) return evaluate(Expression, valueOfQuery);
    const sum = sumOf(MetricStat.Metric, last, MetricStat.Period / 60);
    if (MetricStat.Stat !== 'PR(:300)') return sum;
    const all = MetricStat.Metric.replace('Latency', 'Count').replace('Duration', 'Invocations');
    return 100 - (100 * sum) / sumOf(all, last, MetricStat.Period / 60);
  };
  return valueOfQuery('expr_1');
};

const prod = templateOf(stageNamed('prod'));
const alarms = propertiesOf(prod, 'AWS::CloudWatch::Alarm').map((properties) => {
  const { Metrics = [], ...alarm } = alarmSchema.parse(properties);
  const metric = Metrics.length === 0 ? metricSchema.parse(properties) : '';
  return { ...alarm, metric, queries: new Map(Metrics.map((each) => [each.Id, each])) };
});

/** The alarms that are on after a minute. */
const alarmsOn = (sumOf: SumOf, minute: number): readonly string[] => {
  const on = alarms.flatMap((alarm) => {
    const window = Array.from({ length: alarm.EvaluationPeriods }, (_, before) => minute - before);
    const breaching = window.filter((last) => valueOf(alarm, sumOf, last) >= alarm.Threshold);
    return breaching.length >= alarm.DatapointsToAlarm ? alarm.AlarmName.replace('PlantStore-prod-', '') : [];
  });
  // The rule of the composite alarm is in the snapshot of the template.
  const isOn = (budget: string): boolean => on.filter((name) => name.startsWith(budget)).length === 2;
  return on.concat(isOn('FastBurnFailed') || isOn('FastBurnSlow') ? 'FastBurn' : []);
};

/** The first minute of each alarm that fires. Logs can arrive minutes late. */
const firstMinutes = (
  series: readonly Minute[],
  around: Minute,
  late: number,
): ReadonlyMap<string, number> => {
  const before = Array.from({ length: 60 }, () => around);
  const counts = [...before, ...series, ...before].map(countsOf);
  const first = new Map<string, number>();
  for (let minute = before.length; minute < counts.length; minute += 1) {
    const sumOf: SumOf = (metric, last, minutes) => {
      const isOfLog = /^[A-Z]\w+s$/.test(metric);
      const end = isOfLog ? Math.min(last, minute - late) : last;
      const window = counts.slice(Math.max(0, last + 1 - minutes), Math.max(0, end + 1));
      const data = window.filter((each) => each.size > 0).map((each) => each.get(metric) ?? 0);
      return data.length === 0 ? NaN : data.reduce((sum, each) => sum + each);
    };
    for (const name of alarmsOn(sumOf, minute))
      if (!first.has(name)) first.set(name, minute - before.length + 1);
  }
  return first;
};

const day = { requests: 600 };
const night = { requests: 0 };
const madeUp = 6000;

// prettier-ignore
it.each<[Minute, string, number, Minute, mails: string, rollbacks: string, late?: number]>([
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
])('around %j: %s for %i min', (around, _, minutes, change, mails, rollbacks, late = 0) => {
  const first = firstMinutes(Array.from({ length: minutes }, () => change), around, late);
  const texts = [...first].map(([name, minute]) => `${name} ${String(minute)}`);
  const named = (pattern: RegExp): string => texts.filter((text) => pattern.test(text)).join(', ');
  expect(named(/^(?!.*(?:Release|Hour|Minutes))/)).toBe(mails);
  expect(named(/Release/).replaceAll('Release', '')).toBe(rollbacks);
});
