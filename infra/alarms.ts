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

/** Counts: five-minute window, evaluated every minute. */
const period = Duration.minutes(5);
/** Shares and percentiles: a longer window would hide one bad minute. */
const minute = Duration.minutes(1);

export interface AlarmsProps {
  readonly api: HttpApi;
  readonly listPlants: ServiceFunction;
  readonly authorizer: ServiceFunction;
  readonly table: Table;
  readonly logGroups: { readonly listPlants: LogGroup; readonly authorizer: LogGroup };
  /** Receives the notifications. */
  readonly topic: ITopic;
  /** The commit whose runbook the alarms link to. */
  readonly commit: string;
}

interface AlarmDefinition {
  readonly metric: IMetric;
  /** The alarm goes off at this value and above. */
  readonly threshold: number;
  /** How many of the metric's last periods must breach; default: one of one. */
  readonly periods?: { readonly breaching: number; readonly of: number };
  /** For the person on call. */
  readonly meaning: string;
  /** Why missing data is treated as good. */
  readonly missingData: string;
}

/** The alarms: callers are affected, or soon will be. */
export class Alarms extends Construct {
  /** Alarms on what callers see. A release during which one goes off is rolled back. */
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
      const { metric, threshold, periods = { breaching: 1, of: 1 }, meaning, missingData } = definition;
      const alarm = new Alarm(this, alarmId, {
        alarmName: `${Stack.of(this).stackName}-${alarmId}`,
        alarmDescription: `${meaning} Missing data is treated as good: ${missingData} What to do: ${runbookSection(alarmId, commit)}`,
        metric,
        threshold,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: periods.of,
        datapointsToAlarm: periods.breaching,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
      return alarm;
    };

    const serverErrors = make('ServerErrors', {
      metric: metrics.serverErrors,
      threshold: 3,
      meaning: 'Callers get status 500 or 503: a function crashed, timed out or could not be invoked.',
      missingData: 'the gateway reports 0 for every other response, so there were no requests.',
    });
    const retryable = make('RetryableErrors', {
      metric: metrics.retryableShare,
      threshold: 5,
      // Early enough for a canary of five minutes; a minute whose log lines arrive late still counts.
      periods: { breaching: 2, of: 5 },
      meaning:
        'At least 5 % of requests get a 400 with an error from 2000 to 2002: this service or the table fails.',
      missingData: 'without requests there is no share.',
    });
    const slow = make('Latency', {
      metric: metrics.latency,
      threshold: 3000,
      periods: { breaching: 2, of: 3 },
      meaning: 'One request in a hundred takes three seconds or more.',
      missingData: 'there were no requests.',
    });
    const authorizerFailures = make('AuthorizerFailures', {
      metric: metrics.authorizerFailures,
      threshold: 2,
      meaning:
        'The authorizer cannot decide, so callers get a 500. Most likely the issuer’s keys cannot be fetched.',
      missingData: 'the authorizer was not invoked, so there were no requests with a new token.',
    });
    const others = [
      make('KeySetFailures', {
        metric: metrics.keySetFailures,
        // A single failure is usually the network.
        threshold: 3,
        meaning:
          'The issuer’s keys could not be fetched. A held copy is valid for an hour; without one, callers get a 500.',
        missingData: 'a line is logged only when a fetch fails.',
      }),
      make('FunctionThrottles', {
        metric: metrics.functionThrottles,
        threshold: 1,
        meaning:
          'Lambda rejected invocations: the account’s concurrency is used up, so callers get a 500 or 503.',
        missingData: 'without invocations none was rejected.',
      }),
      make('TableThrottles', {
        metric: metrics.tableThrottles,
        threshold: 5,
        meaning: 'DynamoDB rejected reads of the table. The function retries, then responds with error 2001.',
        missingData: 'the table reports throttles only when there are some.',
      }),
      make('DamagedItems', {
        metric: metrics.damagedItems,
        threshold: 1,
        meaning: 'Damaged items are left out of responses, so some callers do not see all their plants.',
        missingData: 'a line is logged only when there is a damaged item.',
      }),
    ];
    this.rollbackAlarms = [serverErrors, retryable, slow, authorizerFailures];
    this.all = [...this.rollbackAlarms, ...others];
  }
}
