import { Duration } from 'aws-cdk-lib';
import { type Alarm, type IMetric, type MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../service-function.ts';
import { countLogLines, logMetrics } from './log-metrics.ts';
import { metricMath, shareOf } from './metric-math.ts';
import { objective } from './objective.ts';
import { describeAlarm, serviceAlarm } from './service-alarm.ts';

/** What an operation's function does in a minute, apart from all others, and the alarm that rolls its release back. */
export interface OperationHealth {
  readonly invocations: IMetric;
  readonly errors: IMetric;
  readonly throttles: IMetric;
  /** Responses that tell the caller to try again. */
  readonly retryable: IMetric;
  /** In percent of the function's invocations. */
  readonly failedShare: MathExpression;
  readonly slowShare: MathExpression;
  /** Sends no mail. A busy operation cannot hide a bad version of a quiet one from it. */
  readonly release: Alarm;
}

const period = Duration.minutes(1);

/** The metrics and the alarm of an operation's function. */
export const operationHealth = (operation: ServiceFunction): OperationHealth => {
  const { id } = operation.node;
  const { live } = operation;
  const name = `${id}${logMetrics.retryable.name}`;
  const counts = {
    invocations: live.metricInvocations({ period }),
    errors: live.metricErrors({ period }),
    throttles: live.metricThrottles({ period }),
    retryable: countLogLines(operation, operation.logGroup, { ...logMetrics.retryable, name }),
    /** Percent of the invocations. */
    fast: live.metricDuration({ statistic: Stats.percentileRank(objective.milliseconds), period }),
  };
  const failed = 'errors + throttles + FILL(retryable, 0)';
  const shares = {
    failedShare: shareOf(counts, 'failed', 5, failed, 'invocations + throttles'),
    slowShare: shareOf(counts, 'slow', 10, 'invocations * (100 - fast) / 100', 'invocations'),
  };
  const release = serviceAlarm(operation, 'ReleaseAlarm', {
    name: `${id}Release`,
    description: describeAlarm(
      `${id}Release`,
      `At least 5 % of the requests to ${id} fail or are slow. This only rolls a release of it back.`,
    ),
    metric: metricMath('MAX([failedShare, slowShare])', shares, 'failed or slow'),
    threshold: 5,
    // Two minutes are early enough for a canary of five, and a single bad minute rolls nothing back.
    periods: [2, 5],
  });
  return { ...counts, ...shares, release };
};
