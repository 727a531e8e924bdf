import { Duration, Stack } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type DenialReason, type LogEvent, signedTokenDenials } from '../../functions/shared/log-events.ts';

/** Log lines that are counted as a metric. */
interface LogMetric {
  /** The name of the metric and of its filter. */
  readonly name: string;
  readonly pattern: JsonPattern;
  /** The line's field to sum up; default: 1 for each line. */
  readonly sum?: string;
}

// Lambda's JSON log format puts a function's own entry into `message`.
const event = (name: LogEvent): JsonPattern => FilterPattern.stringValue('$.message.event', '=', name);
const reason = (name: DenialReason): JsonPattern => FilterPattern.stringValue('$.message.reason', '=', name);

/** An expired token says nothing about the service: clients keep it. */
const deniedCurrentToken = signedTokenDenials.filter((each) => each !== 'lifetime').map(reason);

export const logMetrics = {
  retryable: {
    name: 'RetryableErrors',
    pattern: FilterPattern.all(
      event('request-failed'),
      FilterPattern.numberValue('$.message.error', '>=', 2000),
    ),
  },
  damagedItems: {
    name: 'DamagedItems',
    // A filter can sum up only a field that its pattern names.
    pattern: FilterPattern.all(event('damaged-items'), FilterPattern.numberValue('$.message.count', '>=', 1)),
    sum: '$.message.count',
  },
  keySetFailures: {
    name: 'KeySetFailures',
    pattern: FilterPattern.any(event('key-set-refresh-failed'), event('key-set-unavailable')),
  },
  denials: { name: 'Denials', pattern: event('denied') },
  deniedCallers: { name: 'DeniedCallers', pattern: FilterPattern.any(...deniedCurrentToken) },
} as const satisfies Readonly<Record<string, LogMetric>>;

/** The sum over a log metric's lines in a minute. */
export const logMetric = (scope: Construct, { name }: LogMetric): Metric =>
  new Metric({
    // One namespace for each stage, because two can share an account.
    namespace: Stack.of(scope).stackName,
    metricName: name,
    statistic: Stats.SUM,
    period: Duration.minutes(1),
  });

/** Counts a log's lines with a metric filter, at no cost in the functions. Several logs can add to one metric. */
export const countLogLines = (scope: Construct, logGroup: ILogGroup, counted: LogMetric): Metric => {
  const metric = logMetric(scope, counted);
  const { name, pattern, sum = '1' } = counted;
  new MetricFilter(scope, `${name}Filter`, {
    logGroup,
    filterPattern: pattern,
    metricNamespace: metric.namespace,
    metricName: name,
    metricValue: sum,
    // So that the metric exists before the first such line, and expressions can use it.
    defaultValue: 0,
  });
  return metric;
};
