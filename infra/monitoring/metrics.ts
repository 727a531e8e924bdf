import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ServiceFunctions } from '../service-function.ts';
import { countLogLines, logMetrics } from './log-metrics.ts';
import { objective } from './objective.ts';

export interface MonitoredService {
  readonly api: HttpApi;
  readonly functions: ServiceFunctions;
  readonly table: Pick<ITable, 'tableName'>;
  readonly accessLog: ILogGroup;
}

/** The metrics of the service in a minute, by the names that expressions use. Shares are in percent. */
export type ServiceMetrics = Readonly<
  Record<
    | ('requests' | 'refused' | 'serverErrors' | 'retryable' | 'fast' | 'p50' | 'p99' | 'damagedItems')
    | ('failedShare' | 'slowShare' | 'undecidedShare' | 'worstShare' | 'refusedShare' | 'deniedCallerShare')
    | ('decisions' | 'undecided' | 'denials' | 'deniedCallers' | 'keySetFailures')
    | ('listThrottles' | 'authorizerThrottles' | 'tableThrottles'),
    IMetric
  >
>;

const period = Duration.minutes(1);

/** An expression of those metrics that it names: each metric in an alarm is charged for. */
export const metricMath = (
  expression: string,
  metrics: Readonly<Record<string, IMetric>>,
  label: string,
  over = period,
): MathExpression => {
  const isUsed = ([name]: readonly [string, IMetric]): boolean =>
    new RegExp(`\\b${name}\\b`).test(expression);
  const usingMetrics = Object.fromEntries(Object.entries(metrics).filter(isUsed));
  return new MathExpression({ expression, usingMetrics, label: `${label}, %`, period: over });
};

export const serviceMetrics = (
  scope: Construct,
  { api, functions: { listPlants, authorizer }, table }: MonitoredService,
): ServiceMetrics => {
  const counts = {
    requests: api.metricCount({ period }),
    refused: api.metricClientError({ period }),
    serverErrors: api.metricServerError({ period }),
    /** Percent of the requests. */
    fast: api.metricLatency({ statistic: Stats.percentileRank(objective.milliseconds), period }),
    decisions: authorizer.live.metricInvocations({ period }),
    undecided: authorizer.live.metricErrors({ period }),
    retryable: countLogLines(scope, listPlants.logGroup, logMetrics.retryable),
    damagedItems: countLogLines(scope, listPlants.logGroup, logMetrics.damagedItems),
    denials: countLogLines(scope, authorizer.logGroup, logMetrics.denials),
    deniedCallers: countLogLines(scope, authorizer.logGroup, logMetrics.deniedCallers),
    keySetFailures: countLogLines(scope, authorizer.logGroup, logMetrics.keySetFailures),
  };
  /** A part in percent: 0 while the part is less than the floor, so that a few requests are no share. */
  const share = (label: string, floor: number, part: string, whole: string): MathExpression =>
    metricMath(`IF(${part} < ${String(floor)}, 0, 100 * (${part}) / (${whole}))`, counts, label);

  // A flood of refused requests must not hide what happens to the others.
  const served = 'requests - refused + FILL(retryable, 0)';
  const allowed = 'decisions - undecided - FILL(denials, 0)';
  const shares = {
    failedShare: share('failed requests', 5, 'serverErrors + FILL(retryable, 0)', served),
    slowShare: share('slow requests', 10, 'requests * (100 - fast) / 100', 'requests'),
    undecidedShare: share('decisions that failed', 5, 'undecided', 'decisions - FILL(denials, 0)'),
  };
  return {
    ...counts,
    ...shares,
    worstShare: metricMath(
      'MAX([failedShare, slowShare, undecidedShare])',
      shares,
      'failed, slow or undecided',
    ),
    refusedShare: share('refused requests', 50, 'refused - FILL(retryable, 0)', 'requests'),
    deniedCallerShare: share('denied callers', 5, 'deniedCallers', `${allowed} + deniedCallers`),
    p50: api.metricLatency({ statistic: Stats.p(50), period }),
    p99: api.metricLatency({ statistic: Stats.p(99), period }),
    listThrottles: listPlants.metricThrottles({ period }),
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
