import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation, type Table } from 'aws-cdk-lib/aws-dynamodb';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ServiceFunction } from '../service-function.ts';
import { type AuthorizerMetrics, authorizerMetrics } from './authorizer-metrics.ts';
import { expression, fiveMinutes, minute, share } from './expressions.ts';
import { countLogLines, type LogMetric, logMetrics, retryableErrorsBy } from './log-metrics.ts';
import { newVersionFails } from './new-version.ts';

export interface MonitoredService {
  readonly api: HttpApi;
  readonly listPlants: ServiceFunction;
  readonly authorizer: ServiceFunction;
  readonly table: Table;
  readonly logGroups: Readonly<Record<'listPlants' | 'authorizer' | 'access', LogGroup>>;
}

/** The metrics of the service, for alarms, objectives and the dashboard. Shares are in percent. */
export interface ServiceMetrics extends AuthorizerMetrics {
  readonly requests: IMetric;
  readonly refusals: IMetric;
  readonly serverErrors: IMetric;
  readonly serverErrorShare: IMetric;
  readonly retryableErrors: IMetric;
  readonly retryableShare: IMetric;
  readonly newVersionFails: IMetric;
  readonly failures: IMetric;
  readonly latency: IMetric;
  readonly medianLatency: IMetric;
  readonly shortLists: IMetric;
  readonly slowShortLists: IMetric;
  readonly slowShare: IMetric;
  readonly forbidden: IMetric;
  readonly forbiddenShare: IMetric;
  readonly tooManyRequests: IMetric;
  readonly tooManyRequestsShare: IMetric;
  readonly functionThrottles: IMetric;
  readonly tableThrottles: IMetric;
  readonly damagedItems: IMetric;
}

export const serviceMetrics = (
  scope: Construct,
  { api, listPlants, authorizer, table, logGroups }: MonitoredService,
): ServiceMetrics => {
  const countIn =
    (logGroup: LogGroup) =>
    (metric: LogMetric): Metric =>
      countLogLines(scope, logGroup, metric).with({ period: minute });
  const inList = countIn(logGroups.listPlants);
  const inAccessLog = countIn(logGroups.access);

  const requests = api.metricCount({ period: minute });
  const refusals = api.metricClientError({ period: minute });
  const serverErrors = api.metricServerError({ period: minute });
  const retryable = inList(logMetrics.retryableErrors);
  const ofAuthorizer = authorizerMetrics(authorizer, countIn(logGroups.authorizer));
  const { unknownKeys } = ofAuthorizer;
  // Without refused requests: a flood of these must not hide the failures of others.
  const served = expression(
    'requests - refusals + FILL(retryable, 0) - FILL(unknownKeys, 0)',
    { requests, refusals, retryable, unknownKeys },
    'requests that were not refused',
  );
  const failuresOfService = expression(
    'FILL(serverErrors, 0) - FILL(unknownKeys, 0)',
    { serverErrors, unknownKeys },
    'requests that failed with 5xx, without unknown keys',
  );
  const shortLists = inAccessLog(logMetrics.shortLists);
  const slowShortLists = inAccessLog(logMetrics.slowShortLists);
  const forbidden = inAccessLog(logMetrics.forbidden);
  const tooManyRequests = inAccessLog(logMetrics.tooManyRequests);

  return {
    requests,
    refusals,
    serverErrors,
    serverErrorShare: share('requests that failed with 5xx', { failuresOfService }, { served }, 5),
    retryableErrors: retryable,
    retryableShare: share('requests that failed with 2xxx', { retryable }, { served }, 5),
    newVersionFails: newVersionFails(
      listPlants,
      retryable,
      inList(retryableErrorsBy(listPlants.currentVersion.version)),
    ),
    failures: expression(
      'FILL(serverErrors, 0) + FILL(retryable, 0)',
      { serverErrors, retryable },
      'failed requests',
    ),
    latency: api.metricLatency({ statistic: 'p99', period: minute }),
    medianLatency: api.metricLatency({ statistic: 'p50', period: minute }),
    shortLists,
    slowShortLists,
    slowShare: share('short lists that were slow', { slowShortLists }, { shortLists }, 10),
    forbidden,
    forbiddenShare: share('requests that got a 403', { forbidden }, { requests }, 60),
    tooManyRequests,
    tooManyRequestsShare: share('requests that got a 429', { tooManyRequests }, { requests }, 50),
    ...ofAuthorizer,
    functionThrottles: expression(
      'FILL(list, 0) + FILL(authorizer, 0)',
      { list: listPlants.metricThrottles(), authorizer: authorizer.metricThrottles() },
      'throttled invocations',
      fiveMinutes,
    ),
    // Never without a value: an alarm on a table's metric keeps its state then, whatever its setting for missing data.
    tableThrottles: expression(
      'FILL(throttles, 0)',
      { throttles: table.metricThrottledRequestsForOperation(Operation.QUERY) },
      'throttled reads',
      fiveMinutes,
    ),
    damagedItems: inList(logMetrics.damagedItems).with({ period: fiveMinutes }),
  };
};
