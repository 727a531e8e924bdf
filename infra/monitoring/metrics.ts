import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../service-function.ts';
import { countLogLines, logMetrics } from './log-metrics.ts';
import { objective } from './objective.ts';

export interface MonitoredService {
  readonly api: HttpApi;
  readonly listPlants: ServiceFunction;
  readonly authorizer: ServiceFunction;
  readonly table: ITable;
  readonly logGroups: Readonly<Record<'listPlants' | 'authorizer' | 'access', LogGroup>>;
}

/** The metrics of the service in a minute, by the names that expressions use. Shares are in percent. */
export type ServiceMetrics = Readonly<
  Record<
    | ('requests' | 'serverErrors' | 'retryable' | 'fast' | 'p50' | 'p99' | 'damagedItems')
    | ('failedShare' | 'slowShare' | 'undecidedShare' | 'worstShare' | 'refusedShare' | 'deniedCallerShare')
    | ('decisions' | 'undecided' | 'denials' | 'deniedCallers' | 'keySetFailures')
    | ('listThrottles' | 'authorizerThrottles' | 'tableThrottles'),
    IMetric
  >
>;

/** Those of the metrics that an expression uses: each metric in an alarm is charged for. */
export const chosen = (
  metrics: ServiceMetrics,
  names: readonly (keyof ServiceMetrics)[],
): Readonly<Record<string, IMetric>> => Object.fromEntries(names.map((name) => [name, metrics[name]]));

const period = Duration.minutes(1);

/** A part in percent: 0 while the part is less than the floor, so that a few requests are no share. */
const share = (
  label: string,
  usingMetrics: Readonly<Record<string, IMetric>>,
  [part, whole]: readonly [part: string, whole: string],
  floor: number,
): MathExpression =>
  new MathExpression({
    expression: `IF(${part} < ${String(floor)}, 0, 100 * (${part}) / (${whole}))`,
    usingMetrics,
    label: `${label}, %`,
    period,
  });

export const serviceMetrics = (
  scope: Construct,
  { api, listPlants, authorizer, table, logGroups }: MonitoredService,
): ServiceMetrics => {
  const requests = api.metricCount({ period });
  const refused = api.metricClientError({ period });
  const serverErrors = api.metricServerError({ period });
  /** Percent of the requests. */
  const fast = api.metricLatency({ statistic: Stats.percentileRank(objective.milliseconds), period });
  const decisions = authorizer.live.metricInvocations({ period });
  const undecided = authorizer.live.metricErrors({ period });
  const retryable = countLogLines(scope, logGroups.listPlants, logMetrics.retryable);
  const denials = countLogLines(scope, logGroups.authorizer, logMetrics.denials);
  const deniedCallers = countLogLines(scope, logGroups.authorizer, logMetrics.deniedCallers);

  // A flood of refused requests must not hide what happens to the others.
  const failedShare = share(
    'failed requests',
    { requests, refused, serverErrors, retryable },
    ['serverErrors + FILL(retryable, 0)', 'requests - refused + FILL(retryable, 0)'],
    5,
  );
  const slow = ['requests * (100 - fast) / 100', 'requests'] as const;
  const slowShare = share('slow requests', { requests, fast }, slow, 10);
  const undecidedShare = share(
    'decisions that failed',
    { decisions, undecided, denials },
    ['undecided', 'decisions - FILL(denials, 0)'],
    5,
  );
  return {
    ...{ requests, serverErrors, retryable, fast, decisions, undecided, denials, deniedCallers },
    ...{ failedShare, slowShare, undecidedShare },
    worstShare: new MathExpression({
      expression: 'MAX([failedShare, slowShare, undecidedShare])',
      usingMetrics: { failedShare, slowShare, undecidedShare },
      label: 'failed, slow or undecided, %',
      period,
    }),
    refusedShare: share(
      'refused requests',
      { requests, refused, retryable },
      ['refused - FILL(retryable, 0)', 'requests'],
      50,
    ),
    deniedCallerShare: share(
      'denied callers',
      { decisions, undecided, denials, deniedCallers },
      ['deniedCallers', 'decisions - undecided - FILL(denials, 0) + deniedCallers'],
      5,
    ),
    p50: api.metricLatency({ statistic: Stats.p(50), period }),
    p99: api.metricLatency({ statistic: Stats.p(99), period }),
    keySetFailures: countLogLines(scope, logGroups.authorizer, logMetrics.keySetFailures),
    damagedItems: countLogLines(scope, logGroups.listPlants, logMetrics.damagedItems),
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
