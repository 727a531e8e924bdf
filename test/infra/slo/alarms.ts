import { compileFunction } from 'node:vm';
import type { Template } from 'aws-cdk-lib/assertions';
import { z } from 'zod';
import { metricMath, type Value } from './metric-math.ts';

/** The sum of a metric from the minute `first` up to, but not including, `end`; undefined without data. */
export type Metric = (first: number, end: number) => Value;

/** Metrics by name. */
export type Series = ReadonlyMap<string, Metric>;

/** An alarm of a template. */
export interface EvaluatedAlarm {
  readonly id: string;
  readonly logicalId: string;
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
const stat = z.enum(['Sum', 'SampleCount', 'PR(:300)']);
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

/** A metric's name with its origin, and the function that it is about. */
const nameOf = ({ Namespace, MetricName, Dimensions }: z.infer<typeof metricSchema>): string => {
  const about = Dimensions.find(({ Name }) => Name === 'FunctionName')?.Value.replace(/[0-9A-F]{8}$/, '');
  const origin = Namespace.startsWith('AWS/') ? Namespace.slice(4) : 'log';
  return [origin, MetricName, ...(about === undefined ? [] : [about])].join(' ');
};

/** The sum over a window of `minutes` that ends with `minute`. */
const sumOf = (series: Series, name: string, minute: number, minutes: number): Value => {
  const metric = series.get(name);
  if (metric === undefined) throw new Error(`The series lack ${name}.`);
  return metric(minute + 1 - minutes, minute + 1);
};

/** The value of a statistic over such a window. */
const valueOver = (
  series: Series,
  name: string,
  statistic: string,
  minute: number,
  minutes: number,
): Value => {
  if (statistic !== 'PR(:300)') return sumOf(series, name, minute, minutes);
  // The percentage of the window's requests or invocations that take up to 300 ms.
  const all = name.replace('ApiGateway Latency', 'ApiGateway Count').replace('Duration', 'Invocations');
  const requests = sumOf(series, all, minute, minutes);
  const fast = sumOf(series, `${name} within 300 ms`, minute, minutes);
  return requests === undefined || fast === undefined ? undefined : (100 * fast) / requests;
};

type MetricAlarm = z.infer<typeof alarmSchema>;

/** An alarm's period in minutes, and its value over the period that ends with a minute. */
const watchedBy = (alarm: MetricAlarm): readonly [number, (series: Series, minute: number) => Value] => {
  if (alarm.Metrics === undefined) {
    const { Period, Statistic, ...metric } = directSchema.parse(alarm);
    const [name, minutes] = [nameOf(metric), Period / 60];
    return [minutes, (series, minute) => valueOver(series, name, Statistic, minute, minutes)];
  }
  const periods = new Set(alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Period ?? []));
  const [period = 0, ...others] = periods;
  if (others.length > 0) throw new Error('The metrics of an expression have different periods.');
  const queries = new Map(
    alarm.Metrics.map(({ Id, Expression, MetricStat }) => {
      const evaluate = Expression === undefined ? undefined : metricMath(Expression);
      return [
        Id,
        { evaluate, stat: MetricStat && { ...MetricStat, name: nameOf(MetricStat.Metric) } },
      ] as const;
    }),
  );
  const [result, ...more] = alarm.Metrics.filter(({ ReturnData }) => ReturnData !== false);
  if (result === undefined || more.length > 0) throw new Error('An alarm watches one result.');
  const valueOf = (id: string, series: Series, minute: number): Value => {
    const query = queries.get(id);
    if (query?.evaluate) return query.evaluate((name) => valueOf(name, series, minute));
    if (query?.stat === undefined) throw new Error(`The alarm has no metric ${id}.`);
    return valueOver(series, query.stat.name, query.stat.Stat, minute, period / 60);
  };
  return [period / 60, (series, minute) => valueOf(result.Id, series, minute)];
};

/** Evaluates every minute, over the periods that end then (AWS: "Alarm evaluation window"). */
const metricAlarm = (alarm: MetricAlarm): EvaluatedAlarm['isOn'] => {
  const [minutes, valueOf] = watchedBy(alarm);
  const { EvaluationPeriods: periods, DatapointsToAlarm: breaching = periods, Threshold: threshold } = alarm;
  const isBreached = (series: Series, minute: number): boolean =>
    (valueOf(series, minute) ?? -Infinity) >= threshold;
  return (series, minute) => {
    let breached = 0;
    for (let before = 0; before < periods; before += 1)
      if (isBreached(series, minute - before * minutes)) breached += 1;
    return breached >= breaching;
  };
};

const compositeSchema = z.object({
  AlarmActions: z.array(z.unknown()).default([]),
  AlarmRule: z.object({
    'Fn::Join': z.tuple([
      z.literal(''),
      z.array(z.union([z.string(), z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) })])),
    ]),
  }),
});

/** Compiles a rule such as `((ALARM("a") AND ALARM("b")) OR (ALARM("c") AND ALARM("d")))`. */
const ruleOf = ({ 'Fn::Join': [, parts] }: z.infer<typeof compositeSchema>['AlarmRule']) => {
  const text = parts.map((part) => (typeof part === 'string' ? part : part['Fn::GetAtt'][0])).join('');
  const rule = compileFunction(`return ${text.replaceAll('AND', '&&').replaceAll('OR', '||')}`, ['ALARM']);
  return (isOn: (id: string) => boolean): boolean => Reflect.apply(rule, undefined, [isOn]) === true;
};

/** The alarms of a template, ready to be evaluated over series. Throws when it cannot evaluate one. */
export const alarmsIn = (template: Template): readonly EvaluatedAlarm[] => {
  const idOf = (logicalId: string): string =>
    logicalId.replace(/^(?:Alarms)?(\w+?)(?:Alarm)?[0-9A-F]{8}$/, '$1');
  const single = new Map(
    Object.entries(resources.parse(template.findResources('AWS::CloudWatch::Alarm'))).map(
      ([logicalId, { Properties }]): [string, EvaluatedAlarm] => {
        const alarm = alarmSchema.parse(Properties);
        const id = idOf(logicalId);
        const notifies = alarm.AlarmActions.length > 0;
        return [logicalId, { id, logicalId, notifies, isOn: metricAlarm(alarm) }];
      },
    ),
  );
  const composite = Object.entries(
    resources.parse(template.findResources('AWS::CloudWatch::CompositeAlarm')),
  ).map(([logicalId, { Properties }]): EvaluatedAlarm => {
    const { AlarmActions, AlarmRule } = compositeSchema.parse(Properties);
    const rule = ruleOf(AlarmRule);
    return {
      id: idOf(logicalId),
      logicalId,
      notifies: AlarmActions.length > 0,
      isOn: (series, minute) => rule((part) => single.get(part)?.isOn(series, minute) === true),
    };
  });
  return [...single.values(), ...composite];
};
