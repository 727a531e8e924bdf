import { Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  SingleValueWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';

const graph = (title: string, ...metrics: IMetric[]): GraphWidget =>
  new GraphWidget({ title, left: metrics, width: 8, height: 6 });

/** The first row shows whether callers are affected, the rows below show why. */
export const serviceDashboard = (scope: Construct, { all, metrics }: Alarms): Dashboard =>
  new Dashboard(scope, 'Dashboard', {
    dashboardName: Stack.of(scope).stackName,
    defaultInterval: Duration.hours(3),
    widgets: [
      [
        new AlarmStatusWidget({ title: 'Are callers affected?', alarms: [...all], width: 12, height: 4 }),
        new SingleValueWidget({
          title: 'Now',
          metrics: [metrics.requests, metrics.serverErrorShare, metrics.retryableShare, metrics.slowShare],
          width: 12,
          height: 4,
        }),
      ],
      [
        graph('Requests', metrics.requests, metrics.refusals),
        graph('Failures', metrics.serverErrors, metrics.retryableErrors),
        graph('Latency, ms', metrics.medianLatency, metrics.latency),
      ],
      [
        graph('Authorizer', metrics.authorizerFailures, metrics.keySetFailures),
        graph('Throttles', metrics.functionThrottles, metrics.tableThrottles),
        graph('Damaged items', metrics.damagedItems),
      ],
      [
        graph('Refused', metrics.forbidden, metrics.tooManyRequests),
        graph('Callers', metrics.allowed, metrics.denials, metrics.deniedSignedTokens),
        graph('Short lists', metrics.shortLists, metrics.slowShortLists),
      ],
    ],
  });
