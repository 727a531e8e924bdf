import type { Template } from 'aws-cdk-lib/assertions';
import { z } from 'zod';
import { type Expression, parseMetricMath } from './metric-math.ts';
import { propertiesOf } from '../template-resources.ts';

/** What CloudWatch counts in a minute, by metric: none without requests. */
export type Counts = ReadonlyMap<string, number>;

/** How many minutes late SNS reports the messages of a topic: it does so every five minutes. */
const messagesLate = 6;

const dimensions = z.array(z.looseObject({ Name: z.string() })).default([]);
/** A metric by its name, after the function or topic that it is of. */
const metricSchema = z
  .object({ MetricName: z.string(), Dimensions: dimensions })
  .transform(({ MetricName, Dimensions }) => {
    const [owner] = /Authorizer|ListPlants|\w+(?=","TopicName")/.exec(JSON.stringify(Dimensions)) ?? [];
    return owner === undefined ? MetricName : `${owner} ${MetricName}`;
  });
const metricStat = z.object({ Metric: metricSchema, Period: z.number(), Stat: z.string() });
type MetricStat = z.infer<typeof metricStat>;
const query = z.union([
  z.object({ Id: z.string(), Expression: z.string() }),
  z.object({ Id: z.string(), MetricStat: metricStat }),
]);
const topics = z.array(z.object({ Ref: z.string() }).transform(({ Ref }) => Ref)).default([]);
const actions = { AlarmActions: topics, OKActions: topics };
const alarmSchema = z.looseObject({
  ...{ ...actions, AlarmName: z.string(), Metrics: z.array(query).optional(), Threshold: z.number() },
  ...{ DatapointsToAlarm: z.number(), EvaluationPeriods: z.number() },
  ComparisonOperator: z.literal('GreaterThanOrEqualToThreshold'),
  TreatMissingData: z.literal('notBreaching'),
});
const rulePart = z.union([
  z.string(),
  z
    .object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) })
    .transform((part) => part['Fn::GetAtt'][0]),
]);
// Strict, because other properties are not simulated.
const compositeSchema = z.strictObject({
  ...{ ...actions, AlarmName: z.string(), AlarmDescription: z.string() },
  AlarmRule: z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(rulePart)]) }),
  ...{ ActionsSuppressor: rulePart.optional() },
  ...{ ActionsSuppressorWaitPeriod: z.literal(0).optional() },
  ...{ ActionsSuppressorExtensionPeriod: z.literal(0).optional() },
});
const filterSchema = z.object({ MetricTransformations: z.tuple([z.object({ MetricName: z.string() })]) });
const resourceSchema = z.object({ Properties: z.looseObject({}) });

const isOfTopic = ({ Metric }: MetricStat): boolean => Metric.endsWith(' NumberOfMessagesPublished');

const metricAlarm = (properties: Readonly<Record<string, unknown>>) => {
  const alarm = alarmSchema.parse(properties);
  const {
    Metrics = [
      { Id: 'expr_1', MetricStat: { Metric: metricSchema.parse(properties), Period: 60, Stat: 'Sum' } },
    ],
  } = alarm;
  const metrics = new Map<string, MetricStat>();
  const expressions = new Map<string, Expression>();
  for (const each of Metrics) {
    if ('Expression' in each) expressions.set(each.Id, parseMetricMath(each.Expression));
    else metrics.set(each.Id, each.MetricStat);
  }
  // CloudWatch may read no more than the window, and DIFF has no value without the minute before.
  const incomplete = Metrics.filter(
    (each) => 'Expression' in each && each.Expression.includes('DIFF('),
  ).length;
  return { ...alarm, metrics, expressions, window: alarm.EvaluationPeriods - incomplete };
};

/** @throws {Error} for a condition other than that one alarm is on */
const alarmIn = (condition: string): string => {
  const [, id] = /^ALARM\("(\w+)"\)$/.exec(condition) ?? [];
  if (id === undefined) throw new Error(`The simulation has no condition ${condition}.`);
  return id;
};

const compositeAlarm = (properties: Readonly<Record<string, unknown>>) => {
  const { AlarmRule, ...alarm } = compositeSchema.parse(properties);
  const rule = AlarmRule['Fn::Join'][1].join('').replaceAll(/^\(|\)$(?<=\)\))/g, '');
  // Without brackets, AND binds more tightly than OR.
  const alternatives = rule
    .split(' OR ')
    .map((alternative) => alternative.split(' AND ').map((condition) => alarmIn(condition)));
  const isOn = (isPartOn: (id: string) => boolean) =>
    alternatives.some((conditions) => conditions.every(isPartOn));
  return { ...alarm, isOn };
};

const resourcesOf = <A>(
  template: Template,
  type: string,
  parse: (properties: Record<string, unknown>) => A,
) =>
  Object.entries(template.findResources(`AWS::CloudWatch::${type}`)).map(([id, resource]): [string, A] => [
    id,
    parse(resourceSchema.parse(resource).Properties),
  ]);

/** Sums of the counts before each minute, so that a difference is the sum of the minutes between. */
const sumsOf = (counts: readonly Counts[], count: (each: Counts) => number): readonly number[] => {
  let sum = 0;
  return [0, ...counts.map((each) => (sum += count(each)))];
};

/** The alarms of a minute that are on, and those that mail, by the end of their names. */
export interface Minute {
  readonly on: readonly string[];
  readonly mailing: readonly string[];
}

/**
 * Evaluates the alarms of a template after each minute of counts, as AWS documents it. Counts of logs can be
 * minutes late. Only alarms whose name begins with `watched` are evaluated.
 */
export const simulateAlarms = (template: Template) => {
  const metricAlarms = resourcesOf(template, 'Alarm', metricAlarm);
  const composites = resourcesOf(template, 'CompositeAlarm', compositeAlarm);
  const filters = z.array(filterSchema).parse(propertiesOf(template, 'AWS::Logs::MetricFilter'));
  const logMetrics = new Set(filters.map(({ MetricTransformations: [{ MetricName }] }) => MetricName));
  const subscribed = new Set(
    propertiesOf(template, 'AWS::SNS::Subscription').map(({ TopicArn }) => topics.parse([TopicArn])[0]),
  );
  const nameOf = ({ AlarmName }: { readonly AlarmName: string }): string =>
    AlarmName.replace(/^\w+-\w+-/, '');

  return (counts: readonly Counts[], late = 0, watched = ''): readonly Minute[] => {
    const messages = new Map<string, number[]>();
    const sums = new Map<string, readonly number[]>();
    const withData = sumsOf(counts, ({ size }) => Math.min(1, size));

    /** The sum of a metric over the minutes up to one, as known some minutes later; NaN without data. */
    const sumOf = (metric: string, minute: number, later: number, minutes: number): number => {
      const from = Math.max(0, minute + 1 - minutes);
      const to = Math.max(
        from,
        logMetrics.has(metric) ? Math.min(minute, minute + later - late) + 1 : minute + 1,
      );
      const between = (all: readonly number[]): number => (all[to] ?? 0) - (all[from] ?? 0);
      if (between(withData) === 0) return NaN;
      const all = sums.get(metric) ?? sumsOf(counts, (each) => each.get(metric) ?? 0);
      sums.set(metric, all);
      return between(all);
    };

    const statisticOf = (metric: MetricStat, minute: number, later: number): number => {
      const { Metric, Period, Stat } = metric;
      if (isOfTopic(metric))
        return later < messagesLate ? NaN : (messages.get(Metric.replace(/ .*/, ''))?.[minute] ?? NaN);
      const sum = sumOf(Metric, minute, later, Period / 60);
      if (Stat !== 'PR(:300)') return sum;
      const all = Metric.replace('Latency', 'Count').replace('Duration', 'Invocations');
      return 100 - (100 * sum) / sumOf(all, minute, later, Period / 60);
    };

    const evaluated = metricAlarms
      .filter(([, alarm]) => nameOf(alarm).startsWith(watched))
      .map(([id, alarm]) => {
        // Later than this, no more data arrives.
        const settled = [...alarm.metrics.values()].some(isOfTopic) ? messagesLate : late;
        /** Values by query, by how much later they were read, and by minute. */
        const known = new Map<string, number[][]>();
        const valueOf = (query: string, minute: number, later: number): number => {
          if (minute < 0) return NaN;
          const metric = alarm.metrics.get(query);
          const values = known.get(query) ?? Array.from({ length: settled + 1 }, () => []);
          known.set(query, values);
          const earlier = values[later]?.[minute];
          if (earlier !== undefined) return earlier;
          const valueBefore = (other: string, before: number): number =>
            valueOf(other, minute - before, Math.min(settled, later + before));
          const value =
            metric === undefined
              ? alarm.expressions.get(query)?.(valueBefore)
              : statisticOf(metric, minute, later);
          values[later] ??= [];
          values[later][minute] = value ?? NaN;
          return value ?? NaN;
        };
        const breaches = (minute: number, later: number): number =>
          Number(valueOf('expr_1', minute, later) >= alarm.Threshold);
        /** How many minutes before each one breach, once no more data arrives. */
        const sum = [0];
        const isOn = (now: number): boolean => {
          const last = Math.max(0, now + 1 - settled);
          while (sum.length <= last) sum.push((sum.at(-1) ?? 0) + breaches(sum.length - 1, settled));
          const first = Math.max(0, now + 1 - alarm.window);
          let count = first < last ? (sum[last] ?? 0) - (sum[first] ?? 0) : 0;
          for (let minute = Math.max(first, last); minute <= now; minute += 1)
            count += breaches(minute, now - minute);
          return count >= alarm.DatapointsToAlarm;
        };
        return { id, isOn };
      });

    let before: ReadonlySet<string> = new Set();
    return counts.map((_, now) => {
      const on = new Set(evaluated.filter(({ isOn }) => isOn(now)).map(({ id }) => id));
      // A composite alarm comes after those in its rule.
      for (const [id, { isOn }] of composites) if (isOn((part) => on.has(part))) on.add(id);
      const mailing = [...metricAlarms, ...composites].flatMap(([id, alarm]) => {
        const suppressor = 'ActionsSuppressor' in alarm ? (alarm.ActionsSuppressor ?? '') : '';
        // AWS: when a suppressor changes from ALARM to OK, “its composite alarm resumes taking actions”.
        const resumes = before.has(suppressor) && on.has(id);
        if (on.has(suppressor) || (on.has(id) === before.has(id) && !resumes)) return [];
        const notified = on.has(id) ? alarm.AlarmActions : alarm.OKActions;
        for (const topic of notified) {
          const all = messages.get(topic) ?? [];
          all[now] = (all[now] ?? 0) + 1;
          messages.set(topic, all);
        }
        return notified.some((topic) => subscribed.has(topic)) ? [nameOf(alarm)] : [];
      });
      before = on;
      return {
        on: [...metricAlarms, ...composites].flatMap(([id, alarm]) => (on.has(id) ? [nameOf(alarm)] : [])),
        mailing,
      };
    });
  };
};
