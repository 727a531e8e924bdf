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
const event = (name: LogEvent) => FilterPattern.stringValue('$.message.event', '=', name);
const reason = (name: DenialReason) => FilterPattern.stringValue('$.message.reason', '=', name);
const isRetryable = FilterPattern.numberValue('$.message.error', '>=', 2000);

const retryableErrors = FilterPattern.all(event('request-failed'), isRetryable);
// Clients keep expired tokens, so their denials are not counted.
const deniedCallers = FilterPattern.any(
  ...signedTokenDenials.filter((denial) => denial !== 'lifetime').map(reason),
);
const keySetFailures = FilterPattern.any(event('key-set-refresh-failed'), event('key-set-unavailable'));

/** Makes a metric that counts the lines of a pattern in the logs of functions: a filter for each log. */
const addLineCount = (
  functions: readonly ServiceFunction[],
  metricName: string,
  filterPattern: IFilterPattern,
): IMetric => {
  // One namespace for each stage, because two can share an account.
  const [metricNamespace = ''] = functions.map(({ stack }) => stack.stackName);
  // With a default, the metric exists before the first such line, so that expressions can use it.
  const settings = { filterPattern, metricNamespace, metricName, defaultValue: 0 };
  for (const source of functions)
    new MetricFilter(source, metricName, { logGroup: source.logGroup, ...settings });
  return new Metric({
    namespace: metricNamespace,
    metricName,
    statistic: Stats.SUM,
    period: Duration.minutes(1),
  });
};

/** Counts of failures and denials, which only the logs of functions tell. */
export interface LogMetrics {
  /** Responses with an error of 2xxx, which have the status 400. */
  readonly retryable: IMetric;
  /** The same for each operation. */
  readonly operations: readonly { readonly operation: OperationFunction; readonly retryable: IMetric }[];
  readonly denials: IMetric;
  /** Denials of current tokens that the issuer signed. */
  readonly deniedCallers: IMetric;
}

/** Makes the metrics of logs that rollbacks and alarms watch: each costs by the month (docs/slo.md). */
export const addLogMetrics = ({ authorizer, operations }: Service): LogMetrics => ({
  retryable: addLineCount(operations, 'RetryableErrors', retryableErrors),
  deniedCallers: addLineCount([authorizer], 'DeniedCallers', deniedCallers),
  denials: addLineCount([authorizer], 'Denials', event('denied')),
  operations: operations.map((operation) => ({
    operation,
    retryable: addLineCount([operation], `${operation.node.id}RetryableErrors`, retryableErrors),
  })),
});

/** Makes the metrics of logs that only alarms which mail watch. */
export const addMailedLogMetrics = ({ authorizer, operations }: Service) => ({
  keySetFailures: addLineCount([authorizer], 'KeySetFailures', keySetFailures),
  damagedItems: addLineCount(operations, 'DamagedItems', event('damaged-items')),
});
