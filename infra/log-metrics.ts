import { type Duration, Stack } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** Log lines of a function that are counted as a metric. The function's `log.ts` has its entries. */
export interface LogMetric {
  /** The name of the metric and of its filter. */
  readonly name: string;
  /** Count entries whose `event` is one of these. */
  readonly events: readonly string[];
  /** Count only entries whose `error` is at least this. */
  readonly errorFrom?: number;
  /** The entry's field to sum up; default: 1 for each line. */
  readonly sum?: string;
}

export const logMetrics = {
  retryableErrors: { name: 'RetryableErrors', events: ['request-failed'], errorFrom: 2000 },
  damagedItems: { name: 'DamagedItems', events: ['damaged-items'], sum: 'count' },
  keySetFailures: { name: 'KeySetFailures', events: ['key-set-refresh-failed', 'key-set-unavailable'] },
} as const satisfies Readonly<Record<string, LogMetric>>;

/** Counts log lines with a metric filter, at no cost in the functions. Lambda's JSON log format puts the entry into `message`. */
export const countLogLines = (
  scope: Construct,
  logGroup: LogGroup,
  { name, events, errorFrom, sum }: LogMetric,
  period: Duration,
): Metric => {
  const isEvent = FilterPattern.any(
    ...events.map((event) => FilterPattern.stringValue('$.message.event', '=', event)),
  );
  return new MetricFilter(scope, `${name}Filter`, {
    logGroup,
    filterPattern:
      errorFrom === undefined
        ? isEvent
        : FilterPattern.all(isEvent, FilterPattern.numberValue('$.message.error', '>=', errorFrom)),
    // One namespace for each stage, because two can share an account.
    metricNamespace: Stack.of(scope).stackName,
    metricName: name,
    metricValue: sum === undefined ? '1' : `$.message.${sum}`,
  }).metric({ statistic: 'sum', period });
};
