import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Operation } from '../operation.ts';
import type { ServiceFunction } from '../service-function.ts';
import { countLogLines, logMetric, logMetrics } from './log-metrics.ts';
import { metricMath, shareOf } from './metric-math.ts';
import { objective } from './objective.ts';

export interface MonitoredService {
  readonly api: HttpApi;
  readonly authorizer: ServiceFunction;
  readonly operations: readonly Operation[];
  readonly table: Pick<ITable, 'tableName'>;
  readonly accessLog: ILogGroup;
}

/** The metrics of the whole service in a minute, by the names that expressions use. Shares are in percent. */
export type ServiceMetrics = Readonly<
  Record<
    | ('requests' | 'refused' | 'serverErrors' | 'retryable' | 'fast' | 'p50' | 'p99' | 'damagedItems')
    | ('failedShare' | 'slowShare' | 'undecidedShare' | 'worstShare' | 'refusedShare' | 'deniedCallerShare')
    | ('decisions' | 'undecided' | 'denials' | 'deniedCallers' | 'keySetFailures')
    | ('authorizerThrottles' | 'tableThrottles'),
    IMetric
  >
>;

const period = Duration.minutes(1);

export const serviceMetrics = (
  scope: Construct,
  { api, authorizer, operations, table }: MonitoredService,
): ServiceMetrics => {
  for (const operation of operations) {
    countLogLines(operation, operation.logGroup, logMetrics.retryable);
    countLogLines(operation, operation.logGroup, logMetrics.damagedItems);
  }
  const counts = {
    requests: api.metricCount({ period }),
    refused: api.metricClientError({ period }),
    serverErrors: api.metricServerError({ period }),
    /** Percent of the requests. */
    fast: api.metricLatency({ statistic: Stats.percentileRank(objective.milliseconds), period }),
    decisions: authorizer.live.metricInvocations({ period }),
    undecided: authorizer.live.metricErrors({ period }),
    retryable: logMetric(scope, logMetrics.retryable),
    damagedItems: logMetric(scope, logMetrics.damagedItems),
    denials: countLogLines(scope, authorizer.logGroup, logMetrics.denials),
    deniedCallers: countLogLines(scope, authorizer.logGroup, logMetrics.deniedCallers),
    keySetFailures: countLogLines(scope, authorizer.logGroup, logMetrics.keySetFailures),
  };
  // A flood of refused requests must not hide what happens to the others.
  const served = 'requests - refused + FILL(retryable, 0)';
  const allowed = 'decisions - undecided - FILL(denials, 0)';
  const shares = {
    failedShare: shareOf(counts, 'failed requests', 5, 'serverErrors + FILL(retryable, 0)', served),
    slowShare: shareOf(counts, 'slow requests', 10, 'requests * (100 - fast) / 100', 'requests'),
    undecidedShare: shareOf(counts, 'decisions that failed', 5, 'undecided', 'decisions - FILL(denials, 0)'),
  };
  return {
    ...counts,
    ...shares,
    worstShare: metricMath(
      'MAX([failedShare, slowShare, undecidedShare])',
      shares,
      'failed, slow or undecided',
    ),
    refusedShare: shareOf(counts, 'refused requests', 50, 'refused - FILL(retryable, 0)', 'requests'),
    deniedCallerShare: shareOf(counts, 'denied callers', 5, 'deniedCallers', `${allowed} + deniedCallers`),
    p50: api.metricLatency({ statistic: Stats.p(50), period }),
    p99: api.metricLatency({ statistic: Stats.p(99), period }),
    authorizerThrottles: authorizer.metricThrottles({ period }),
    tableThrottles: new Metric({
      namespace: 'AWS/DynamoDB',
      metricName: 'ThrottledRequests',
      dimensionsMap: { TableName: table.tableName, Operation: 'Query' },
      statistic: Stats.SUM,
      period,
    }),
  };
};
