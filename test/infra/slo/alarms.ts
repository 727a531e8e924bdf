import type { Template } from 'aws-cdk-lib/assertions';
import { z } from 'zod';
import { metricMath, type Value } from './metric-math.ts';

/** A metric's values, minute by minute; undefined in a minute without data. */
export type Series = ReadonlyMap<string, readonly Value[]>;

/** An alarm of a template. */
export interface EvaluatedAlarm {
  readonly id: string;
  /** Whether it notifies people. */
  readonly notifies: boolean;
  /** Whether it is on after a minute of the series. */
  readonly isOn: (series: Series, minute: number) => boolean;
}

const reference = z.union([
  z.string(),
  z.object({ Ref: z.string() }).transform(({ Ref }) => Ref),
  z.looseObject({}).transform(() => 'of the alias'),
]);
const metricSchema = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: reference })).default([]),
});
const stat = z.enum(['Sum', 'SampleCount']);
const alarmSchema = z.looseObject({
  AlarmActions: z.array(z.unknown()).default([]),
  ComparisonOperator: z.literal('GreaterThanOrEqualToThreshold'),
  TreatMissingData: z.literal('notBreaching'),
  Threshold: z.number(),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number().optional(),
  Metrics: z
    .array(
      z.object({
        Id: z.string(),
        Expression: z.string().optional(),
        MetricStat: z.object({ Metric: metricSchema, Period: z.number(), Stat: stat }).optional(),
        ReturnData: z.boolean().optional(),
      }),
    )
    .max(20)
    .optional(),
});
const directSchema = metricSchema.extend({ Period: z.number(), Statistic: stat });
const resources = z.record(z.string(), z.object({ Properties: z.unknown() }));

/** A metric's name with what tells it from another of this name: the function, and whether it is one version's. */
const nameOf = ({ Namespace, MetricName, Dimensions }: z.infer<typeof metricSchema>): string => {
  const dimension = (name: string): string | undefined =>
    Dimensions.find(({ Name }) => Name === name)?.Value.replace(/[0-9A-F]{8}$/, '');
  return [
    Namespace.startsWith('AWS/') ? Namespace.slice(4) : 'log',
    MetricName,
    dimension('FunctionName'),
    dimension('ExecutedVersion') === undefined ? undefined : 'of the new version',
  ]
    .filter((part) => part !== undefined)
    .join(' ');
};

/** The sum over the minutes up to one of them. */
const sumOf = (series: Series, name: string, minute: number, minutes: number): Value => {
  const values = series.get(name);
  if (values === undefined) throw new Error(`The series lack ${name}.`);
  const present = values
    .slice(Math.max(0, minute + 1 - minutes), Math.max(0, minute + 1))
    .filter((each) => each !== undefined);
  return present.length === 0 ? undefined : present.reduce((sum, each) => sum + each, 0);
};

type MetricAlarm = z.infer<typeof alarmSchema>;

/** The minutes of a period, and the value over one period that ends with a minute. */
const watchedBy = (alarm: MetricAlarm): readonly [number, (series: Series, minute: number) => Value] => {
  if (alarm.Metrics === undefined) {
    const { Period, ...metric } = directSchema.parse(alarm);
    return [Period / 60, (series, minute) => sumOf(series, nameOf(metric), minute, Period / 60)];
  }
  const periods = new Set(alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? []));
  const [period = 0, ...others] = periods;
  if (others.length > 0) throw new Error('The metrics of an expression have different periods.');
  const queries = new Map(
    alarm.Metrics.map(({ Id, Expression, MetricStat }) => {
      const evaluate = Expression === undefined ? undefined : metricMath(Expression);
      return [Id, { evaluate, name: MetricStat && nameOf(MetricStat.Metric) }] as const;
    }),
  );
  const [result, ...more] = alarm.Metrics.filter(({ ReturnData }) => ReturnData !== false);
  if (result === undefined || more.length > 0) throw new Error('An alarm watches one result.');
  const valueOf = (id: string, series: Series, minute: number): Value => {
    const query = queries.get(id);
    if (query?.evaluate) return query.evaluate((name) => valueOf(name, series, minute));
    if (query?.name === undefined) throw new Error(`Nothing is named ${id}.`);
    return sumOf(series, query.name, minute, period / 60);
  };
  return [period / 60, (series, minute) => valueOf(result.Id, series, minute)];
};

/** CloudWatch evaluates every minute, by default over the periods that end then (AWS: "Alarm evaluation window"). */
const metricAlarm = (alarm: MetricAlarm): EvaluatedAlarm['isOn'] => {
  const [minutes, valueOf] = watchedBy(alarm);
  const { EvaluationPeriods: periods, DatapointsToAlarm: breaching = periods, Threshold: threshold } = alarm;
  return (series, minute) => {
    const values = Array.from({ length: periods }, (_, before) => valueOf(series, minute - before * minutes));
    if (values.includes(undefined) && JSON.stringify(alarm).includes('AWS/DynamoDB')) {
      throw new Error('Without data, an alarm on a table’s metric stays as it is (AWS: "PutMetricAlarm").');
    }
    return values.filter((value) => value !== undefined && value >= threshold).length >= breaching;
  };
};

const compositeSchema = z.object({
  AlarmActions: z.array(z.unknown()).default([]),
  AlarmRule: z.object({
    'Fn::Join': z.tuple([
      z.literal(''),
      z.tuple([
        z.literal('(ALARM("'),
        z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }),
        z.literal('") AND ALARM("'),
        z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }),
        z.literal('"))'),
      ]),
    ]),
  }),
});

/** The alarms of a template, ready to be evaluated over series. Anything that the evaluation does not know is an error. */
export const alarmsIn = (template: Template): readonly EvaluatedAlarm[] => {
  const idOf = (logicalId: string): string => logicalId.replace(/^Alarms(\w+)[0-9A-F]{8}$/, '$1');
  const single = new Map(
    Object.entries(resources.parse(template.findResources('AWS::CloudWatch::Alarm'))).map(
      ([logicalId, { Properties }]): [string, EvaluatedAlarm] => {
        const alarm = alarmSchema.parse(Properties);
        return [
          logicalId,
          { id: idOf(logicalId), notifies: alarm.AlarmActions.length > 0, isOn: metricAlarm(alarm) },
        ];
      },
    ),
  );
  const composite = Object.entries(
    resources.parse(template.findResources('AWS::CloudWatch::CompositeAlarm')),
  ).map(([logicalId, { Properties }]): EvaluatedAlarm => {
    const { AlarmActions, AlarmRule } = compositeSchema.parse(Properties);
    const [, [, one, , other]] = AlarmRule['Fn::Join'];
    const parts = [one, other].map(({ 'Fn::GetAtt': [part] }) => single.get(part));
    return {
      id: idOf(logicalId),
      notifies: AlarmActions.length > 0,
      isOn: (series, minute) => parts.every((part) => part?.isOn(series, minute)),
    };
  });
  return [...single.values(), ...composite];
};
