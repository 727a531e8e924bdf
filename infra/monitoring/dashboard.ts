import { Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Service } from '../service.ts';
import { math, type Metrics, percentage, type Proportion, type ServiceMetrics } from './metrics.ts';

const graph = (title: string, metrics: Metrics | readonly cloudwatch.IMetric[]): cloudwatch.IWidget =>
  new cloudwatch.GraphWidget({ title, left: Object.values(metrics), width: 6, height: 6 });

/** The result of a CloudWatch Logs Insights query. */
const logTable = (title: string, { logGroupName }: ILogGroup, ...queryLines: string[]): cloudwatch.IWidget =>
  new cloudwatch.LogQueryWidget({ title, logGroupNames: [logGroupName], queryLines, width: 12, height: 6 });

/**
 * One line of each request that timed out or whose process ended. Lambda's system log also has
 * `platform.runtimeDone` of it (AWS, "Lambda Telemetry API Event schema reference").
 */
const ended = 'type = "platform.report" and record.status in ["failure", "timeout"]';
/** One line of each thrown error: the runtime logs it in an entry that is no event of the service. */
const thrown = 'level = "ERROR" and not ispresent(message.event)';
const crashFields = 'message.errorType, record.errorType, record.status, message.version';

const countLines = 'stats count(*) as lines, max(@timestamp) as last';
const mostFirst = 'sort lines desc | limit 20';

/** How much of an objective the last 30 days have met, and how much of its budget is left, in percent. */
const objectiveWidget = (
  title: string,
  proportion: Proportion,
  budgetPercent: number,
): cloudwatch.IWidget => {
  const window = Duration.days(30);
  const missed = percentage(proportion, 0, window);
  const met = math('100 - missed', { missed }, window, 'met, %');
  const left = math(`100 - 100 * missed / ${String(budgetPercent)}`, { missed }, window, 'budget left, %');
  return new cloudwatch.SingleValueWidget({
    title,
    metrics: [met, left],
    // The widget has a time range of its own, and a period as long: one value of all 30 days.
    start: `-${window.toIsoString()}`,
    setPeriodToTimeRange: true,
    width: 6,
    height: 6,
  });
};

interface DashboardProps {
  readonly service: Service;
  readonly metrics: ServiceMetrics;
  /** Whose states the first row shows. */
  readonly alarms: readonly cloudwatch.AlarmBase[];
}

/** Makes the dashboard, which shows whether callers are affected and why, and a saved query by request id. */
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
    [
      graph('Requests', { ...whole, ...failed }),
      graph('Shares, %', requestShares),
      objectiveWidget('30 days: 99.9 % succeed', { part: failed, whole }, 0.1),
      objectiveWidget('30 days: 99 % within 300 ms', { part: slow, whole }, 1),
    ],
    ...metrics.operations.map(({ operation: { definition, logGroup }, counts, percentages }) => [
      graph(`${definition.route}: invocations`, counts),
      graph(`${definition.route}: shares, %`, percentages),
      logTable(
        `Why ${definition.route} failed`,
        logGroup,
        `filter message.error >= 2000 or (${ended}) or (${thrown})`,
        `${countLines} by message.error, message.cause, ${crashFields}`,
        mostFirst,
      ),
    ]),
    [
      graph('Authorizer: decisions', metrics.authorizer.counts),
      graph('Authorizer: shares, %', metrics.authorizer.percentages),
      logTable(
        'Why the authorizer denied or failed',
        authorizer.logGroup,
        // What a request throws has the event `undecided`. What initialization throws has no request.
        `filter ispresent(message.event) or (${ended}) or (${thrown} and not ispresent(requestId))`,
        `${countLines}, max(message.ageSeconds) as oldestKeySet` +
          ` by message.event, message.reason, message.cause, ${crashFields}`,
        mostFirst,
      ),
    ],
    [
      logTable(
        'Slowest requests',
        api.accessLog,
        'fields @timestamp, latencyMs, integrationLatencyMs, responseLength, status, callerId, requestId',
        'sort latencyMs desc | limit 20',
      ),
      logTable('Who sends most', api.accessLog, `${countLines} by callerId, status`, mostFirst),
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
