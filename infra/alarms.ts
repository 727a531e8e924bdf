import { Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Operation, type Table } from 'aws-cdk-lib/aws-dynamodb';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { countLogLines, logMetrics } from './log-metrics.ts';
import { runbookSection } from './runbook.ts';
import type { ServiceFunction } from './service-function.ts';

/** Of counts, the last five minutes, looked at every minute. */
const period = Duration.minutes(5);
/** Of shares and percentiles, which one bad minute in five would thin out. */
const minute = Duration.minutes(1);

export interface AlarmsProps {
  readonly api: HttpApi;
  readonly listPlants: ServiceFunction;
  readonly authorizer: ServiceFunction;
  readonly table: Table;
  readonly logGroups: { readonly listPlants: LogGroup; readonly authorizer: LogGroup };
  /** Who is told. */
  readonly topic: ITopic;
  /** Whose runbook it is. */
  readonly commit: string;
}

interface AlarmDefinition {
  readonly metric: IMetric;
  /** Goes off at this value. */
  readonly threshold: number;
  /** In how many of the metric's last periods; one of one unless set. */
  readonly periods?: { readonly breaching: number; readonly of: number };
  /** For whoever is woken by it. */
  readonly meaning: string;
  /** What no data means, and why. */
  readonly withoutData: { readonly is: TreatMissingData; readonly because: string };
}

/** What wakes somebody: that callers are not well, or soon will not be. */
export class Alarms extends Construct {
  /** What callers feel: a release that sets one of these off is taken back. */
  readonly rollbackAlarms: readonly Alarm[];
  readonly all: readonly Alarm[];
  readonly metrics;

  constructor(
    scope: Construct,
    id: string,
    { api, listPlants, authorizer, table, logGroups, topic, commit }: AlarmsProps,
  ) {
    super(scope, id);
    const requests = api.metricCount({ period });
    const retryableErrors = countLogLines(this, logGroups.listPlants, logMetrics.retryableErrors, period);
    this.metrics = {
      requests,
      serverErrors: api.metricServerError({ period }),
      refusals: api.metricClientError({ period }),
      latency: api.metricLatency({ statistic: 'p99', period: minute }),
      medianLatency: api.metricLatency({ statistic: 'p50', period: minute }),
      retryableErrors,
      retryableShare: new MathExpression({
        expression: '100 * FILL(errors, 0) / requests',
        usingMetrics: { errors: retryableErrors, requests },
        label: 'requests that failed with 2xxx, %',
        period: minute,
      }),
      authorizerFailures: authorizer.live.metricErrors({ period }),
      keySetFailures: countLogLines(this, logGroups.authorizer, logMetrics.keySetFailures, period),
      functionThrottles: new MathExpression({
        expression: 'FILL(list, 0) + FILL(authorizer, 0)',
        usingMetrics: {
          list: listPlants.metricThrottles({ period }),
          authorizer: authorizer.metricThrottles({ period }),
        },
        label: 'throttled invocations',
        period,
      }),
      tableThrottles: table.metricThrottledRequestsForOperations({ operations: [Operation.QUERY], period }),
      damagedItems: countLogLines(this, logGroups.listPlants, logMetrics.damagedItems, period),
    };
    const { metrics } = this;

    const make = (alarmId: string, definition: AlarmDefinition): Alarm => {
      const { metric, threshold, periods = { breaching: 1, of: 1 }, meaning, withoutData } = definition;
      const alarm = new Alarm(this, alarmId, {
        alarmName: `${Stack.of(this).stackName}-${alarmId}`,
        alarmDescription: `${meaning} Without data it is off: ${withoutData.because} What to do: ${runbookSection(alarmId, commit)}`,
        metric,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: periods.of,
        datapointsToAlarm: periods.breaching,
        treatMissingData: withoutData.is,
      });
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
      return alarm;
    };

    const serverErrors = make('ServerErrors', {
      metric: metrics.serverErrors,
      threshold: 3,
      meaning:
        'Callers get answers with status 500 or 503: a function crashed, timed out or could not be reached.',
      withoutData: {
        is: TreatMissingData.NOT_BREACHING,
        because: 'the gateway counts a 0 for every good answer, so nobody asked.',
      },
    });
    const retryable = make('RetryableErrors', {
      metric: metrics.retryableShare,
      threshold: 5,
      // Soon enough for a canary of five minutes; a minute whose log lines come late still counts.
      periods: { breaching: 2, of: 5 },
      meaning:
        'At least 5 % of requests are answered with a 400 whose error is 2000 to 2002: the fault is ours or the table’s.',
      withoutData: { is: TreatMissingData.NOT_BREACHING, because: 'without requests there is no share.' },
    });
    const slow = make('Latency', {
      metric: metrics.latency,
      threshold: 3000,
      periods: { breaching: 2, of: 3 },
      meaning: 'One request of a hundred takes three seconds or more.',
      withoutData: { is: TreatMissingData.NOT_BREACHING, because: 'without requests nobody waits.' },
    });
    const authorizerFailures = make('AuthorizerFailures', {
      metric: metrics.authorizerFailures,
      threshold: 2,
      meaning:
        'The authorizer cannot decide who comes in, so callers get a 500: most likely the issuer’s keys cannot be fetched.',
      withoutData: {
        is: TreatMissingData.NOT_BREACHING,
        because: 'it is asked once a minute for each token at most, so nobody came.',
      },
    });
    const others = [
      make('KeySetFailures', {
        metric: metrics.keySetFailures,
        // A single one is the network, and nothing to wake up for.
        threshold: 3,
        meaning:
          'The issuer’s keys could not be fetched: copies held are good for an hour, and where there is none callers get a 500.',
        withoutData: {
          is: TreatMissingData.NOT_BREACHING,
          because: 'a line is written only when a fetch fails.',
        },
      }),
      make('FunctionThrottles', {
        metric: metrics.functionThrottles,
        threshold: 1,
        meaning:
          'Lambda turned invocations away: the account’s concurrency is used up, so callers get a 500 or 503.',
        withoutData: {
          is: TreatMissingData.NOT_BREACHING,
          because: 'without invocations none was turned away.',
        },
      }),
      make('TableThrottles', {
        metric: metrics.tableThrottles,
        threshold: 5,
        meaning:
          'DynamoDB turned reads of the table away; the function tries again, then answers with error 2001.',
        withoutData: {
          is: TreatMissingData.NOT_BREACHING,
          because: 'the table reports throttles only when there are some.',
        },
      }),
      make('DamagedItems', {
        metric: metrics.damagedItems,
        threshold: 1,
        meaning:
          'Items of the table break its shape and are left out of answers: some callers do not see all their plants.',
        withoutData: {
          is: TreatMissingData.NOT_BREACHING,
          because: 'a line is written only when there is a damaged item.',
        },
      }),
    ];
    this.rollbackAlarms = [serverErrors, retryable, slow, authorizerFailures];
    this.all = [...this.rollbackAlarms, ...others];
  }
}
