import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Operation, Service } from '../operation.ts';
import { countLogLines, logMetric } from './log-metrics.ts';

/** The latency that requests should have, and the window of the error budgets (docs/slo.md). */
export const objective = { milliseconds: 300, window: Duration.days(30) } as const;

const period = Duration.minutes(1);
/** The percentage of requests or invocations within the objective. */
const fast = { statistic: Stats.percentileRank(objective.milliseconds), period };
const failed = 'serverErrors + FILL(retryable, 0)';
const slow = 'requests * (100 - fast) / 100';

/** The percentage of requests that may miss the objective, and metric math for the number that do. */
export const budgets = [
  { name: 'Availability', percent: 0.1, missed: failed },
  { name: 'Latency', percent: 1, missed: slow },
] as const;

/** Metrics by the names that expressions use. */
type Metrics<Name extends string> = Readonly<Record<Name, IMetric>>;

/** An expression with only the metrics that it names, because AWS charges for each metric in an alarm. */
export const metricMath = (
  expression: string,
  metrics: Metrics<string>,
  label: string,
  over = period,
): MathExpression => {
  const isUsed = ([name]: readonly [string, IMetric]): boolean =>
    new RegExp(`\\b${name}\\b`).test(expression);
  const usingMetrics = Object.fromEntries(Object.entries(metrics).filter(isUsed));
  return new MathExpression({ expression, usingMetrics, label: `${label}, %`, period: over });
};

/** A part in percent of a whole; 0 for a part below the floor, so that a few requests set off no alarm. */
const shareOf = (metrics: Metrics<string>, label: string, floor: number, part: string, whole: string) =>
  metricMath(`IF(${part} < ${String(floor)}, 0, 100 * (${part}) / (${whole}))`, metrics, label);

export type OperationMetrics = Metrics<
  'invocations' | 'errors' | 'throttles' | 'retryable' | 'failedShare' | 'slowShare' | 'worstShare'
>;

/** The metrics of an operation's function, by the minute. Shares are in percent of its invocations. */
export const operationMetrics = (operation: Operation): OperationMetrics => {
  const { live, logGroup, node } = operation;
  const counts = {
    invocations: live.metricInvocations({ period }),
    errors: live.metricErrors({ period }),
    throttles: live.metricThrottles({ period }),
    retryable: countLogLines(operation, logGroup, 'RetryableErrors', node.id),
    fast: live.metricDuration(fast),
  };
  const failures = 'errors + throttles + FILL(retryable, 0)';
  const shares = {
    failedShare: shareOf(counts, 'failed', 5, failures, 'invocations + throttles'),
    slowShare: shareOf(counts, 'slow', 10, 'invocations * (100 - fast) / 100', 'invocations'),
  };
  const worstShare = metricMath('MAX([failedShare, slowShare])', shares, 'failed or slow');
  return { ...counts, ...shares, worstShare };
};

export type ServiceMetrics = Metrics<
  | ('requests' | 'refused' | 'serverErrors' | 'retryable' | 'fast')
  | ('decisions' | 'undecided' | 'denials' | 'deniedCallers' | 'keySetFailures' | 'damagedItems')
  | ('failedShare' | 'slowShare' | 'undecidedShare' | 'worstShare' | 'refusedShare' | 'deniedCallerShare')
>;

/** The metrics of the whole service, by the minute. Shares are in percent. */
export const serviceMetrics = (
  scope: Construct,
  { api, authorizer: { live, logGroup } }: Service,
  operations: readonly Operation[],
): ServiceMetrics => {
  for (const operation of operations) countLogLines(operation, operation.logGroup, 'RetryableErrors');
  const counts = {
    requests: api.metricCount({ period }),
    refused: api.metricClientError({ period }),
    serverErrors: api.metricServerError({ period }),
    fast: api.metricLatency(fast),
    retryable: logMetric(scope, 'RetryableErrors'),
    decisions: live.metricInvocations({ period }),
    undecided: live.metricErrors({ period }),
    denials: countLogLines(scope, logGroup, 'Denials'),
    deniedCallers: countLogLines(scope, logGroup, 'DeniedCallers'),
    keySetFailures: logMetric(scope, 'KeySetFailures'),
    damagedItems: logMetric(scope, 'DamagedItems'),
  };
  // Refused requests do not count: a flood of them must not hide failures of other requests.
  const served = 'requests - refused + FILL(retryable, 0)';
  const allowed = 'decisions - undecided - FILL(denials, 0)';
  const shares = {
    failedShare: shareOf(counts, 'failed requests', 5, failed, served),
    slowShare: shareOf(counts, 'slow requests', 10, slow, 'requests'),
    undecidedShare: shareOf(counts, 'decisions that failed', 5, 'undecided', 'decisions - FILL(denials, 0)'),
  };
  const worst = 'MAX([failedShare, slowShare, undecidedShare])';
  return {
    ...counts,
    ...shares,
    worstShare: metricMath(worst, shares, 'failed, slow or undecided'),
    refusedShare: shareOf(counts, 'refused requests', 50, 'refused - FILL(retryable, 0)', 'requests'),
    deniedCallerShare: shareOf(counts, 'denied callers', 5, 'deniedCallers', `${allowed} + deniedCallers`),
  };
};
