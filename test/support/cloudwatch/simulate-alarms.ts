import type { Template } from 'aws-cdk-lib/assertions';
import { alarmsIn, type MetricAlarm, type Statistic } from './alarms-in-template.ts';

/** The values of CloudWatch's metrics in a minute, such as `ListPlants Errors`; empty without requests. */
export type Counts = ReadonlyMap<string, number>;

/** SNS counts the messages of a topic up to this many minutes late (docs/slo.md). */
const snsDelay = 6;

/** The count behind a metric of durations: `Count` for `Latency`, `X Invocations` for `X Duration`. */
const countOf = (metric: string): string =>
  metric === 'Latency' ? 'Count' : metric.replace(/ Duration$/, ' Invocations');

const isOfTopic = ({ Metric }: Statistic): boolean => Metric.endsWith(' NumberOfMessagesPublished');

/** The sum of the values before each index: the sum of values 2 to 4 is `sums[5] - sums[2]`. */
const prefixSums = (values: readonly number[]): readonly number[] => {
  let sum = 0;
  return [0, ...values.map((value) => (sum += value))];
};

/** A value of a minute as CloudWatch knows it `age` minutes after the minute; NaN without data. */
type ValueAtAge = (minute: number, age: number) => number;

/** Remembers the values of a function, because windows of consecutive minutes overlap. */
const memoized = (valueOf: ValueAtAge): ValueAtAge => {
  const values = new Map<number, number[]>();
  return (minute, age) => {
    const ofAge = values.get(age) ?? [];
    values.set(age, ofAge);
    return (ofAge[minute] ??= valueOf(minute, age));
  };
};

/**
 * Prepares an alarm of metrics for a series of minutes.
 * @param finalAge after this many minutes, no metric of the alarm changes any more
 * @returns whether the alarm is on after a minute; minutes must be passed in order
 */
const evaluation = (alarm: MetricAlarm, valueOf: (statistic: Statistic) => ValueAtAge, finalAge: number) => {
  const queries = new Map<string, ValueAtAge>();
  const valueOfQuery = (query: string, minute: number, age: number): number =>
    minute < 0 ? NaN : (queries.get(query)?.(minute, age) ?? NaN);
  for (const [id, statistic] of alarm.statistics) queries.set(id, memoized(valueOf(statistic)));
  for (const [id, expression] of alarm.expressions) {
    const valueOfExpression: ValueAtAge = (minute, age) =>
      // Data of an earlier minute is older by the minutes between.
      expression((query, before) => valueOfQuery(query, minute - before, Math.min(finalAge, age + before)));
    queries.set(id, memoized(valueOfExpression));
  }
  // Data that is at least `finalAge` old does not change any more, so its breaches are counted once, in
  // prefix sums. The breaches of later minutes are counted again after each minute.
  const breaches = (minute: number, age: number): number =>
    Number(valueOfQuery('expr_1', minute, age) >= alarm.Threshold);

  /** Prefix sums of breaching minutes, for minutes whose data is final. */
  const finalSums = [0];
  const finalBreaches = (first: number, end: number): number => {
    if (first >= end) return 0;
    while (finalSums.length <= end)
      finalSums.push((finalSums.at(-1) ?? 0) + breaches(finalSums.length - 1, finalAge));
    return (finalSums[end] ?? 0) - (finalSums[first] ?? 0);
  };
  const recentBreaches = (first: number, now: number): number => {
    let count = 0;
    for (let minute = first; minute <= now; minute += 1) count += breaches(minute, now - minute);
    return count;
  };
  return (now: number): boolean => {
    const first = Math.max(0, now + 1 - alarm.window);
    const firstRecent = Math.max(first, now + 1 - finalAge);
    return finalBreaches(first, firstRecent) + recentBreaches(firstRecent, now) >= alarm.DatapointsToAlarm;
  };
};

/** The alarms that are on after a minute, and those that mail, by their names without `PlantStore-prod-`. */
export interface Minute {
  readonly on: readonly string[];
  readonly mailing: readonly string[];
}

interface SimulationOptions {
  /** How many minutes metrics of logs are late. */
  readonly logDelay?: number | undefined;
  /** Evaluates only the alarms of metrics whose name begins with this text. */
  readonly namePrefix?: string;
}

/** Evaluates the alarms of a template after each minute of a series, as AWS documents it. */
export const simulateAlarms = (template: Template) => {
  const { metricAlarms, compositeAlarms, logMetrics, mailingTopics } = alarmsIn(template);
  const allAlarms = [...metricAlarms, ...compositeAlarms];
  const nameOf = ({ AlarmName }: { readonly AlarmName: string }): string =>
    AlarmName.replace(/^\w+-\w+-/, '');

  return (
    series: readonly Counts[],
    { logDelay = 0, namePrefix = '' }: SimulationOptions = {},
  ): readonly Minute[] => {
    /** The number of messages in each minute, by topic. */
    const messages = new Map<string, number[]>();
    const sums = new Map<string, readonly number[]>();
    const minutesWithData = prefixSums(series.map(({ size }) => Math.min(1, size)));

    /** The sum of a metric over the `length` minutes that end with `minute`. */
    const sumOf = (metric: string, minute: number, age: number, length: number): number => {
      const first = Math.max(0, minute + 1 - length);
      const lastKnown = logMetrics.has(metric) ? Math.min(minute, minute + age - logDelay) : minute;
      const end = Math.max(first, lastKnown + 1);
      const between = (all: readonly number[]): number => (all[end] ?? 0) - (all[first] ?? 0);
      if (between(minutesWithData) === 0) return NaN;
      const all = sums.get(metric) ?? prefixSums(series.map((counts) => counts.get(metric) ?? 0));
      sums.set(metric, all);
      return between(all);
    };

    const valueOf =
      (statistic: Statistic): ValueAtAge =>
      (minute, age) => {
        const { Metric, Period, Stat } = statistic;
        if (isOfTopic(statistic))
          return age < snsDelay ? NaN : (messages.get(Metric.replace(/ .*/, ''))?.[minute] ?? NaN);
        const sum = sumOf(Metric, minute, age, Period / 60);
        // A percentile rank: the percentage of requests that took at most 300 ms. `sum` counts the others.
        if (Stat !== 'PR(:300)') return sum;
        return 100 - (100 * sum) / sumOf(countOf(Metric), minute, age, Period / 60);
      };

    const evaluations = [...metricAlarms]
      .filter(([, alarm]) => nameOf(alarm).startsWith(namePrefix))
      .map(([id, alarm]) => {
        const finalAge = [...alarm.statistics.values()].some(isOfTopic) ? snsDelay : logDelay;
        return { id, isOn: evaluation(alarm, valueOf, finalAge) };
      });

    const publish = (topic: string, minute: number): void => {
      const counts = messages.get(topic) ?? [];
      counts[minute] = (counts[minute] ?? 0) + 1;
      messages.set(topic, counts);
    };

    let onBefore: ReadonlySet<string> = new Set();
    return series.map((_, now) => {
      const on = new Set(evaluations.filter(({ isOn }) => isOn(now)).map(({ id }) => id));
      // In the template, a composite alarm follows the alarms of its rule, so one pass is enough.
      for (const [id, { isOn }] of compositeAlarms) if (isOn((part) => on.has(part))) on.add(id);

      const mailing = allAlarms.flatMap(([id, alarm]) => {
        const suppressor = 'ActionsSuppressor' in alarm ? (alarm.ActionsSuppressor ?? '') : '';
        // AWS: when a suppressor changes from ALARM to OK, “its composite alarm resumes taking actions”.
        const resumes = onBefore.has(suppressor) && on.has(id);
        const hasChanged = on.has(id) !== onBefore.has(id);
        if (on.has(suppressor) || (!hasChanged && !resumes)) return [];
        const topics = on.has(id) ? alarm.AlarmActions : alarm.OKActions;
        for (const topic of topics) publish(topic, now);
        return topics.some((topic) => mailingTopics.has(topic)) ? [nameOf(alarm)] : [];
      });
      onBefore = on;
      return { on: allAlarms.flatMap(([id, alarm]) => (on.has(id) ? [nameOf(alarm)] : [])), mailing };
    });
  };
};
