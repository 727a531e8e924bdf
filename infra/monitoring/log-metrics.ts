import { Duration, Stack } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter, type MetricFilterOptions } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type DenialReason, type LogEvent, signedTokenDenials } from '../../functions/shared/log-events.ts';

/** Log lines that are counted as a metric; by default, each line as 1. */
type LogMetric = Omit<MetricFilterOptions, 'metricNamespace'>;

// Lambda's JSON log format puts a function's own entry into `message`.
const event = (name: LogEvent) => FilterPattern.stringValue('$.message.event', '=', name);
const atLeast = (field: string, value: number) => FilterPattern.numberValue(field, '>=', value);
const reason = (name: DenialReason) => FilterPattern.stringValue('$.message.reason', '=', name);

/** An expired token says nothing about the service: clients keep it. */
const deniedCurrentToken = signedTokenDenials.filter((each) => each !== 'lifetime').map(reason);

export const logMetrics = {
  retryable: {
    metricName: 'RetryableErrors',
    filterPattern: FilterPattern.all(event('request-failed'), atLeast('$.message.error', 2000)),
  },
  damagedItems: {
    metricName: 'DamagedItems',
    // A filter can sum up only a field that its pattern names.
    filterPattern: FilterPattern.all(event('damaged-items'), atLeast('$.message.count', 1)),
    metricValue: '$.message.count',
  },
  keySetFailures: {
    metricName: 'KeySetFailures',
    filterPattern: FilterPattern.any(event('key-set-refresh-failed'), event('key-set-unavailable')),
  },
  denials: { metricName: 'Denials', filterPattern: event('denied') },
  deniedCallers: { metricName: 'DeniedCallers', filterPattern: FilterPattern.any(...deniedCurrentToken) },
} as const satisfies Readonly<Record<string, LogMetric>>;

/** The sum over a log metric's lines in a minute. */
export const logMetric = (scope: Construct, { metricName }: LogMetric): Metric =>
  new Metric({
    // One namespace for each stage, because two can share an account.
    namespace: Stack.of(scope).stackName,
    metricName,
    statistic: Stats.SUM,
    period: Duration.minutes(1),
  });

/** Counts a log's lines with a metric filter, at no cost in the functions. Several logs can add to one metric. */
export const countLogLines = (scope: Construct, logGroup: ILogGroup, counted: LogMetric): Metric => {
  const metric = logMetric(scope, counted);
  new MetricFilter(scope, `${counted.metricName}Filter`, {
    ...counted,
    logGroup,
    metricNamespace: metric.namespace,
    // So that the metric exists before the first such line, and expressions can use it.
    defaultValue: 0,
  });
  return metric;
};
