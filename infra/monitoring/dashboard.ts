import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { type ILogGroup, QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Operation, Service } from '../operation.ts';
import { budgets, metricMath, objective, type OperationMetrics, type ServiceMetrics } from './metrics.ts';

const graph = (title: string, ...metrics: cloudwatch.IMetric[]): cloudwatch.IWidget =>
  new cloudwatch.GraphWidget({ title, left: metrics, width: 6, height: 6 });

/** The result of a CloudWatch Logs Insights query. */
const logTable = (title: string, { logGroupName }: ILogGroup, ...queryLines: string[]): cloudwatch.IWidget =>
  new cloudwatch.LogQueryWidget({ title, logGroupNames: [logGroupName], queryLines, width: 12, height: 6 });

const budgetLeft = (all: ServiceMetrics): cloudwatch.IWidget =>
  new cloudwatch.SingleValueWidget({
    title: `Error budget left, ${String(objective.window.toDays())} days`,
    metrics: budgets.map(({ name, percent, missed }) => {
      const left = `100 - 100 * (100 * (${missed}) / requests) / ${String(percent)}`;
      return metricMath(left, all, name, objective.window);
    }),
    start: `-${objective.window.toIsoString()}`,
    setPeriodToTimeRange: true,
    width: 6,
    height: 4,
  });

const crashed = 'record.status in ["error", "failure", "timeout"]';

const operationRow = ({ route, logGroup }: Operation, metrics: OperationMetrics): cloudwatch.IWidget[] => [
  graph(`${route}: invocations`, metrics.invocations, metrics.errors, metrics.retryable, metrics.throttles),
  graph(`${route}: shares, %`, metrics.failedShare, metrics.slowShare),
  logTable(
    `Why ${route} failed`,
    logGroup,
    `filter message.error >= 2000 or ${crashed} or (level = "ERROR" and not ispresent(message.event))`,
    'stats count(*) as lines, max(@timestamp) as last ' +
      'by message.error, message.cause, message.errorType, record.status, message.version',
    'sort lines desc | limit 20',
  ),
];

/** The first row shows whether callers are affected, the others why. Also saves a query by request id. */
export const serviceDashboard = (
  scope: Construct,
  alarms: readonly cloudwatch.AlarmBase[],
  metrics: ServiceMetrics,
  { api, authorizer, table, accessLog }: Service,
  operations: ReadonlyMap<Operation, OperationMetrics>,
): void => {
  const { stackName } = Stack.of(scope);
  const { requests, failedShare, slowShare, undecidedShare, refusedShare } = metrics;
  const period = Duration.minutes(1);
  const tableThrottles = table.metric('ThrottledRequests', {
    dimensionsMap: { TableName: table.tableName, Operation: 'Query' },
    statistic: cloudwatch.Stats.SUM,
    period,
  });
  const latency = ['p50', 'p99'].map((statistic) => api.metricLatency({ statistic, period }));
  new cloudwatch.Dashboard(scope, 'Dashboard', {
    dashboardName: stackName,
    defaultInterval: Duration.hours(3),
    widgets: [
      [
        new cloudwatch.AlarmStatusWidget({
          title: 'Are callers affected?',
          alarms: [...alarms],
          width: 12,
          height: 4,
        }),
        new cloudwatch.SingleValueWidget({
          title: 'Now',
          metrics: [requests, metrics.worstShare],
          width: 6,
          height: 4,
        }),
        budgetLeft(metrics),
      ],
      [
        graph('Requests', requests, metrics.serverErrors, metrics.retryable),
        graph('Shares, %', failedShare, slowShare, undecidedShare, refusedShare),
        graph('Latency, ms', ...latency),
        graph('Throttles', authorizer.live.metricThrottles({ period }), tableThrottles),
      ],
      ...[...operations].map(([operation, itsMetrics]) => operationRow(operation, itsMetrics)),
      [
        graph('Authorizer', metrics.decisions, metrics.undecided, metrics.denials, metrics.deniedCallers),
        graph('Key set and items', metrics.keySetFailures, metrics.damagedItems),
        logTable(
          'Why the authorizer denied or failed',
          authorizer.logGroup,
          `filter ispresent(message.event) or ${crashed}`,
          'stats count(*) as lines, max(message.ageSeconds) as oldestKeySet, max(@timestamp) as last ' +
            'by message.event, message.reason, message.cause, record.status, message.version',
          'sort lines desc | limit 20',
        ),
      ],
      [
        logTable(
          'Slowest requests',
          accessLog,
          'fields @timestamp, latencyMs, integrationLatencyMs, responseLength, status, callerId, requestId',
          'sort latencyMs desc | limit 20',
        ),
        logTable(
          'Who sends most',
          accessLog,
          'stats count(*) as requests, sum(responseLength) as bytes, ' +
            'sum(integrationLatencyMs) as milliseconds by callerId, status',
          'sort requests desc | limit 20',
        ),
      ],
    ],
  });
  new QueryDefinition(scope, 'RequestQuery', {
    queryDefinitionName: `${stackName}/by request id`,
    queryString: new QueryString({
      fields: ['@timestamp', '@log', '@message'],
      filterStatements: ["@message like 'REQUEST_ID'"],
      sort: '@timestamp',
    }),
    logGroups: [...operations.keys(), authorizer].map(({ logGroup }) => logGroup).concat(accessLog),
  });
};
