import { Duration } from 'aws-cdk-lib';
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { type DenialReason, signedTokenDenials } from '../../functions/authorizer/denial.ts';
import type { AuthorizerLogEntry } from '../../functions/authorizer/log-events.ts';
import type { OperationLogEntry } from '../../functions/runtime/log-events.ts';
import type { OperationFunction } from '../operation-function.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Service } from '../service.ts';

type LogEvent = (AuthorizerLogEntry | OperationLogEntry)['event'];
// Lambda's JSON log format puts a function's own entry into `message`.
const eventFilter = (name: LogEvent) => FilterPattern.stringValue('$.message.event', '=', name);
const reasonFilter = (name: DenialReason) => FilterPattern.stringValue('$.message.reason', '=', name);
const retryableFilter = FilterPattern.numberValue('$.message.error', '>=', 2000);

const retryableErrorFilter = FilterPattern.all(eventFilter('request-failed'), retryableFilter);
// Denials of expired tokens are left out, because every client sends an expired token now and then.
const deniedCallerFilter = FilterPattern.any(
  ...signedTokenDenials.filter((denial) => denial !== 'lifetime').map(reasonFilter),
);
const keySetFailureFilter = FilterPattern.any(
  eventFilter('key-set-refresh-failed'),
  eventFilter('key-set-unavailable'),
);

/** Makes a metric that counts the lines of a pattern in the logs of functions, with a filter for each log. */
const addLineCount = (
  functions: readonly ServiceFunction[],
  metricName: string,
  filterPattern: IFilterPattern,
): IMetric => {
  // Each stage has its own namespace, because two stages can share an account.
  const [metricNamespace = ''] = functions.map(({ stack }) => stack.stackName);
  // With a default, the metric exists before the first matching line, so that expressions can use the metric.
  const settings = { filterPattern, metricNamespace, metricName, defaultValue: 0 };
  for (const fn of functions) new MetricFilter(fn, metricName, { logGroup: fn.logGroup, ...settings });
  return new Metric({
    namespace: metricNamespace,
    metricName,
    statistic: Stats.SUM,
    period: Duration.minutes(1),
  });
};

/** Counts of failures and denials, which are only in the logs of functions. */
export interface LogMetrics {
  /** Responses with an error of 2xxx, which have the status 400. */
  readonly retryable: IMetric;
  /** Retryable responses of each operation. */
  readonly operations: readonly { readonly operation: OperationFunction; readonly retryable: IMetric }[];
  readonly denials: IMetric;
  /** Denials of current tokens that the issuer signed. */
  readonly deniedCallers: IMetric;
}

/** Makes the log metrics that rollbacks and alarms need. Each is charged by the month (docs/slo.md). */
export const addLogMetrics = ({ authorizer, operations }: Service): LogMetrics => ({
  retryable: addLineCount(operations, 'RetryableErrors', retryableErrorFilter),
  deniedCallers: addLineCount([authorizer], 'DeniedCallers', deniedCallerFilter),
  denials: addLineCount([authorizer], 'Denials', eventFilter('denied')),
  operations: operations.map((operation) => ({
    operation,
    retryable: addLineCount([operation], `${operation.node.id}RetryableErrors`, retryableErrorFilter),
  })),
});

/** Makes the log metrics that only the mailing alarms need. */
export const addMailedLogMetrics = ({ authorizer, operations }: Service) => ({
  keySetFailures: addLineCount([authorizer], 'KeySetFailures', keySetFailureFilter),
  damagedItems: addLineCount(operations, 'DamagedItems', eventFilter('damaged-items')),
});
