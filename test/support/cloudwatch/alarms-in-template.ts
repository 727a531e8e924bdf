import type { Template } from 'aws-cdk-lib/assertions';
import { z } from 'zod';
import { propertiesOf } from '../template-resources.ts';
import { type Expression, parseMetricMath } from './metric-math.ts';

/** The function or topic that a dimension names; undefined for another dimension. */
const ownerSchema = z.union([
  z
    .object({ Name: z.literal('FunctionName'), Value: z.object({ Ref: z.string() }) })
    // CDK appends a hash to the id of a function.
    .transform(({ Value }) => Value.Ref.replace(/[0-9A-F]{8}$/, '')),
  z
    .object({
      Name: z.literal('TopicName'),
      Value: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('TopicName')]) }),
    })
    .transform(({ Value }) => Value['Fn::GetAtt'][0]),
  z.object({ Name: z.string() }).transform(() => undefined),
]);
/** A metric's key: the function or topic, if any, then the metric's name, such as `ListPlants Errors`. */
const metricSchema = z
  .object({ MetricName: z.string(), Dimensions: z.array(ownerSchema).default([]) })
  .transform(({ MetricName, Dimensions }) =>
    [...Dimensions.filter((owner) => owner !== undefined), MetricName].join(' '),
  );

const statisticSchema = z.object({ Metric: metricSchema, Period: z.number(), Stat: z.string() });
/** A statistic of a metric, such as the sum over a minute. The period is in seconds. */
export type Statistic = z.infer<typeof statisticSchema>;

const querySchema = z.union([
  z.object({ Id: z.string(), Expression: z.string() }),
  z.object({ Id: z.string(), MetricStat: statisticSchema }),
]);
const topicsSchema = z.array(z.object({ Ref: z.string() }).transform(({ Ref }) => Ref)).default([]);
const metricAlarmSchema = z.looseObject({
  AlarmName: z.string(),
  AlarmActions: topicsSchema,
  OKActions: topicsSchema,
  Metrics: z.array(querySchema).optional(),
  Threshold: z.number(),
  DatapointsToAlarm: z.number(),
  EvaluationPeriods: z.number(),
  ComparisonOperator: z.literal('GreaterThanOrEqualToThreshold'),
  TreatMissingData: z.literal('notBreaching'),
});

/** A part of an AlarmRule: the id of an alarm in the template, or literal text. */
const alarmIdSchema = z.union([
  z.string(),
  z
    .object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) })
    .transform((reference) => reference['Fn::GetAtt'][0]),
]);
// Strict, because other properties are not simulated.
const compositeAlarmSchema = z.strictObject({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: topicsSchema,
  OKActions: topicsSchema,
  AlarmRule: z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(alarmIdSchema)]) }),
  ActionsSuppressor: alarmIdSchema.optional(),
  ActionsSuppressorWaitPeriod: z.literal(0).optional(),
  ActionsSuppressorExtensionPeriod: z.literal(0).optional(),
});

/** What an alarm of metrics watches. The query `expr_1` is compared with the threshold. */
const metricAlarm = (properties: Readonly<Record<string, unknown>>) => {
  const alarm = metricAlarmSchema.parse(properties);
  const {
    Metrics: queries = [
      { Id: 'expr_1', MetricStat: { Metric: metricSchema.parse(properties), Period: 60, Stat: 'Sum' } },
    ],
  } = alarm;
  const statistics = new Map<string, Statistic>();
  const expressions = new Map<string, Expression>();
  for (const query of queries) {
    if ('Expression' in query) expressions.set(query.Id, parseMetricMath(query.Expression));
    else statistics.set(query.Id, query.MetricStat);
  }
  // An alarm may see only its window. DIFF has no value in the first minute of the window, so the window is a
  // minute shorter for each expression with DIFF.
  const minutesWithoutValue = queries.filter(
    (query) => 'Expression' in query && query.Expression.includes('DIFF('),
  ).length;
  return { ...alarm, statistics, expressions, window: alarm.EvaluationPeriods - minutesWithoutValue };
};
export type MetricAlarm = ReturnType<typeof metricAlarm>;

/** @throws {Error} for any condition except `ALARM("id")` */
const alarmIn = (condition: string): string => {
  const [, id] = /^ALARM\("(\w+)"\)$/.exec(condition) ?? [];
  if (id === undefined) throw new Error(`The simulation has no condition ${condition}.`);
  return id;
};

const compositeAlarm = (properties: Readonly<Record<string, unknown>>) => {
  const { AlarmRule, ...alarm } = compositeAlarmSchema.parse(properties);
  const joined = AlarmRule['Fn::Join'][1].join('');
  // From `(ALARM("a") AND ALARM("b"))`, this is `ALARM("a") AND ALARM("b")`.
  const rule = /^\((.*)\)$/.exec(joined)?.[1] ?? joined;
  // Without brackets, AND binds more tightly than OR.
  const alternatives = rule
    .split(' OR ')
    .map((alternative) => alternative.split(' AND ').map((condition) => alarmIn(condition)));
  const isOn = (isPartOn: (id: string) => boolean) =>
    alternatives.some((conditions) => conditions.every(isPartOn));
  return { ...alarm, isOn };
};
export type CompositeAlarm = ReturnType<typeof compositeAlarm>;

const resourceSchema = z.object({ Properties: z.looseObject({}) });
const byId = <A>(
  template: Template,
  type: 'Alarm' | 'CompositeAlarm',
  parse: (properties: Record<string, unknown>) => A,
): ReadonlyMap<string, A> =>
  new Map(
    Object.entries(template.findResources(`AWS::CloudWatch::${type}`)).map(([id, resource]) => [
      id,
      parse(resourceSchema.parse(resource).Properties),
    ]),
  );

const filterSchema = z.object({ MetricTransformations: z.tuple([z.object({ MetricName: z.string() })]) });

interface AlarmsInTemplate {
  readonly metricAlarms: ReadonlyMap<string, MetricAlarm>;
  readonly compositeAlarms: ReadonlyMap<string, CompositeAlarm>;
  /** The names of the metrics that are made of logs. */
  readonly logMetrics: ReadonlySet<string>;
  /** The topics with subscribers. */
  readonly mailingTopics: ReadonlySet<string | undefined>;
}

/** The alarms of a template, by their ids in it. */
export const alarmsIn = (template: Template): AlarmsInTemplate => {
  const filters = z.array(filterSchema).parse(propertiesOf(template, 'AWS::Logs::MetricFilter'));
  return {
    metricAlarms: byId(template, 'Alarm', metricAlarm),
    compositeAlarms: byId(template, 'CompositeAlarm', compositeAlarm),
    logMetrics: new Set(filters.map(({ MetricTransformations: [{ MetricName }] }) => MetricName)),
    mailingTopics: new Set(
      propertiesOf(template, 'AWS::SNS::Subscription').map(
        ({ TopicArn }) => topicsSchema.parse([TopicArn])[0],
      ),
    ),
  };
};
