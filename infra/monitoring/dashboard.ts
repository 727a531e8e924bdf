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
 * Matches one log line for each request that timed out or whose process ended. The system log's
 * `platform.runtimeDone` is a second line for the same request, so it is not matched (AWS, "Lambda Telemetry
 * API Event schema reference").
 */
const endedFilter = 'type = "platform.report" and record.status in ["failure", "timeout"]';
/** Matches one log line for each thrown error, which the runtime logs without an event of the service. */
const thrownFilter = 'level = "ERROR" and not ispresent(message.event)';
/** Matches errors of initialization. Errors of requests are already logged with the event `undecided`. */
const failedStartFilter = `${thrownFilter} and not ispresent(requestId)`;
const crashFields = 'message.errorType, record.errorType, record.status, message.version';

const countLines = 'stats count(*) as lines, max(@timestamp) as last';
const twentyMostFrequent = 'sort lines desc | limit 20';

/** Shows, in percent, how much of an objective the last 30 days have met, and how much budget is left. */
const objectiveWidget = (
  title: string,
  proportion: Proportion,
  budgetPercent: number,
): cloudwatch.IWidget => {
  const window = Duration.days(30);
  const missed = percentage(proportion, 0, window);
  const met = math('100 - missed', { missed }, window, 'met, %');
  const budgetLeft = math(
    `100 - 100 * missed / ${String(budgetPercent)}`,
    { missed },
    window,
    'budget left, %',
  );
  return new cloudwatch.SingleValueWidget({
    title,
    metrics: [met, budgetLeft],
    // The widget has its own time range and a period of the same length, so it shows one value for 30 days.
    start: `-${window.toIsoString()}`,
    setPeriodToTimeRange: true,
    width: 6,
    height: 6,
  });
};

interface DashboardProps {
  readonly service: Service;
  readonly metrics: ServiceMetrics;
  /** The alarms whose states the first row shows. */
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
        `filter message.error >= 2000 or (${endedFilter}) or (${thrownFilter})`,
        `${countLines} by message.error, message.cause, ${crashFields}`,
        twentyMostFrequent,
      ),
    ]),
    [
      graph('Authorizer: decisions', metrics.authorizer.counts),
      graph('Authorizer: shares, %', metrics.authorizer.percentages),
      logTable(
        'Why the authorizer denied or failed',
        authorizer.logGroup,

        `filter ispresent(message.event) or (${endedFilter}) or (${failedStartFilter})`,
        `${countLines}, max(message.ageSeconds) as oldestKeySet` +
          ` by message.event, message.reason, message.cause, ${crashFields}`,
        twentyMostFrequent,
      ),
    ],
    [
      logTable(
        'Slowest requests',
        api.accessLog,
        'fields @timestamp, latencyMs, integrationLatencyMs, responseLength, status, callerId, requestId',
        'sort latencyMs desc | limit 20',
      ),
      logTable('Who sends most', api.accessLog, `${countLines} by callerId, status`, twentyMostFrequent),
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
