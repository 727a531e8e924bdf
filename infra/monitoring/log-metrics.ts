import { Duration, Stack } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter, type MetricFilterOptions } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type DenialReason, type LogEvent, signedTokenDenials } from '../../functions/shared/log-events.ts';

// Lambda's JSON log format puts a function's own entry into `message`.
const event = (name: LogEvent) => FilterPattern.stringValue('$.message.event', '=', name);
const reason = (name: DenialReason) => FilterPattern.stringValue('$.message.reason', '=', name);
const atLeast = (field: string, value: number) => FilterPattern.numberValue(field, '>=', value);

/** Expired tokens are not counted as failures, because clients keep them. */
const deniedCurrentToken = signedTokenDenials.filter((each) => each !== 'lifetime').map(reason);

/** The log lines that each metric counts; with a `metricValue`, it adds up that field. */
const logMetrics = {
  RetryableErrors: {
    filterPattern: FilterPattern.all(event('request-failed'), atLeast('$.message.error', 2000)),
  },
  DamagedItems: {
    // A filter can add up only a field that its pattern names.
    filterPattern: FilterPattern.all(event('damaged-items'), atLeast('$.message.count', 1)),
    metricValue: '$.message.count',
  },
  KeySetFailures: {
    filterPattern: FilterPattern.any(event('key-set-refresh-failed'), event('key-set-unavailable')),
  },
  Denials: { filterPattern: event('denied') },
  DeniedCallers: { filterPattern: FilterPattern.any(...deniedCurrentToken) },
} as const satisfies Readonly<Record<string, Partial<MetricFilterOptions>>>;

type LogMetric = keyof typeof logMetrics;

/** A metric of log lines, summed up over a minute. */
export const logMetric = (scope: Construct, name: LogMetric, prefix = ''): Metric =>
  new Metric({
    // One namespace for each stage, because two can share an account.
    namespace: Stack.of(scope).stackName,
    metricName: prefix + name,
    statistic: Stats.SUM,
    period: Duration.minutes(1),
  });

/** Counts lines of a log with a metric filter. Several logs can add to one metric. */
export const countLogLines = (
  scope: Construct,
  logGroup: ILogGroup,
  name: LogMetric,
  prefix?: string,
): Metric => {
  const metric = logMetric(scope, name, prefix);
  const { metricName, namespace: metricNamespace } = metric;
  new MetricFilter(scope, `${metricName}Filter`, {
    ...logMetrics[name],
    logGroup,
    metricName,
    metricNamespace,
    // Makes the metric exist before the first such line, so that expressions can use it.
    defaultValue: 0,
  });
  return metric;
};
