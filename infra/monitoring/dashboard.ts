import type { Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Service } from '../service.ts';
import { type Metrics, percentage, type ServiceMetrics } from './metrics.ts';

const graph = (title: string, metrics: Metrics | readonly cloudwatch.IMetric[]): cloudwatch.IWidget =>
  new cloudwatch.GraphWidget({ title, left: Object.values(metrics), width: 6, height: 6 });

/** The result of a CloudWatch Logs Insights query. */
const logTable = (title: string, { logGroupName }: ILogGroup, ...queryLines: string[]): cloudwatch.IWidget =>
  new cloudwatch.LogQueryWidget({ title, logGroupNames: [logGroupName], queryLines, width: 12, height: 6 });

const crashed = 'record.status in ["error", "failure", "timeout"]';
const lines = 'stats count(*) as lines, max(@timestamp) as last';
const most = 'sort lines desc | limit 20';

interface DashboardProps {
  readonly service: Service;
  readonly metrics: ServiceMetrics;
  /** Whose states the first row shows. */
  readonly alarms: readonly cloudwatch.AlarmBase[];
}

/** Shows whether callers are affected, each operation, and why. Also saves a query by request id. */
export const serviceDashboard = (stack: Stack, { service, metrics, alarms }: DashboardProps): void => {
  const { api, authorizer, operations } = service;
  const { requests: whole, failed, slow, refused } = metrics;
  const requestShares = [failed, slow, refused].map((part) => percentage({ part, whole }));
  const widgets = [
    [
      new cloudwatch.AlarmStatusWidget({
        title: 'Are callers affected?',
        alarms: [...alarms],
        width: 24,
        height: 3,
      }),
    ],
    [graph('Requests', { ...whole, ...failed }), graph('Shares, %', requestShares)],
    ...metrics.operations.map(({ operation: { definition, logGroup }, counts, percentages }) => [
      graph(`${definition.route}: invocations`, counts),
      graph(`${definition.route}: shares, %`, percentages),
      logTable(
        `Why ${definition.route} failed`,
        logGroup,
        `filter message.error >= 2000 or ${crashed} or (level = "ERROR" and not ispresent(message.event))`,
        `${lines} by message.error, message.cause, message.errorType, record.status, message.version`,
        most,
      ),
    ]),
    [
      graph('Authorizer: decisions', metrics.authorizer.counts),
      graph('Authorizer: shares, %', metrics.authorizer.percentages),
      logTable(
        'Why the authorizer denied or failed',
        authorizer.logGroup,
        `filter ispresent(message.event) or ${crashed}`,
        `${lines}, max(message.ageSeconds) as oldestKeySet` +
          ' by message.event, message.reason, message.cause, record.status, message.version',
        most,
      ),
    ],
    [
      logTable(
        'Slowest requests',
        api.accessLog,
        'fields @timestamp, latencyMs, integrationLatencyMs, responseLength, status, callerId, requestId',
        'sort latencyMs desc | limit 20',
      ),
      logTable('Who sends most', api.accessLog, `${lines} by callerId, status`, most),
    ],
  ];
  new cloudwatch.Dashboard(stack, 'Dashboard', { dashboardName: stack.stackName, widgets });
  const logGroups = [...operations, authorizer].map(({ logGroup }) => logGroup).concat(api.accessLog);
  new CfnQueryDefinition(stack, 'RequestQuery', {
    name: `${stack.stackName}/by request id`,
    queryString: "fields @timestamp, @log, @message | filter @message like 'REQUEST_ID' | sort @timestamp",
    logGroupNames: logGroups.map(({ logGroupName }) => logGroupName),
  });
};
