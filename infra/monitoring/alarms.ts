import { Annotations, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { burnAlarms } from './burn-alarms.ts';
import { Objectives } from './objective.ts';
import { runbookSection } from './runbook.ts';
import { type MonitoredService, type ServiceMetrics, serviceMetrics } from './service-metrics.ts';

export interface AlarmsProps extends MonitoredService {
  /** Receives the notifications. */
  readonly topic: ITopic;
  /** The commit whose runbook the alarms link to. */
  readonly commit: string;
}

interface AlarmMeaning {
  /** For the person on call. */
  readonly meaning: string;
  /** Why missing data is treated as good. */
  readonly missingData: string;
}

interface AlarmDefinition extends AlarmMeaning {
  readonly metric: IMetric;
  /** The alarm goes off at this value and above. */
  readonly threshold: number;
  /** How many of the metric's last periods must breach; default: one of one. */
  readonly periods?: { readonly breaching: number; readonly of: number };
}

/** Early enough for a canary of five minutes, and a single bad minute rolls nothing back. */
const twoOfFive = { breaching: 2, of: 5 };
const noRequests = 'there were no requests.';

/** The alarms: callers are affected, or soon will be. docs/slo.md shows which goes off when. */
export class Alarms extends Construct {
  /** Alarms on what callers see. A release during which one goes off is rolled back. */
  readonly rollbackAlarms: readonly Alarm[];
  /** The alarms that notify people. */
  readonly all: readonly AlarmBase[];
  readonly metrics: ServiceMetrics;

  constructor(scope: Construct, id: string, { topic, commit, ...service }: AlarmsProps) {
    super(scope, id);
    Annotations.of(this).acknowledgeWarning(
      'CloudWatch:Math:MetricsPeriodsOverridden',
      'The same metrics are watched over several windows.',
    );
    const metrics = serviceMetrics(this, service);
    this.metrics = metrics;
    new Objectives(this, 'Objectives', metrics);

    const notify = <Kind extends AlarmBase>(alarm: Kind): Kind => {
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
      return alarm;
    };
    const describe = (alarmId: string, { meaning, missingData }: AlarmMeaning): string =>
      `${meaning} Missing data is treated as good: ${missingData} What to do: ${runbookSection(alarmId, commit)}`;
    const make = (alarmId: string, { metric, threshold, periods, ...meaning }: AlarmDefinition): Alarm =>
      notify(
        new Alarm(this, alarmId, {
          alarmName: `${Stack.of(this).stackName}-${alarmId}`,
          alarmDescription: describe(alarmId, meaning),
          metric,
          threshold,
          comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
          evaluationPeriods: periods?.of ?? 1,
          datapointsToAlarm: periods?.breaching ?? 1,
          treatMissingData: TreatMissingData.NOT_BREACHING,
        }),
      );

    const burn = burnAlarms(this, metrics, (alarmId, meaning) =>
      describe(alarmId, { meaning, missingData: noRequests }),
    );

    this.rollbackAlarms = [
      make('ServerErrors', {
        metric: metrics.serverErrorShare,
        threshold: 5,
        periods: twoOfFive,
        meaning:
          'At least 5 % of served requests get status 500 or 503: a function crashed, timed out or could not be invoked.',
        missingData: noRequests,
      }),
      make('Latency', {
        metric: metrics.slowShare,
        threshold: 5,
        periods: twoOfFive,
        meaning: 'At least 5 % of short lists take longer than the 300 ms of the objective.',
        missingData: 'there were no requests for short lists.',
      }),
      make('AuthorizerFailures', {
        metric: metrics.authorizerFailureShare,
        threshold: 5,
        periods: twoOfFive,
        meaning:
          'The authorizer cannot decide on at least 5 % of callers, who get a 500. Most likely the issuer’s keys cannot be fetched.',
        missingData: 'the authorizer was not invoked, so there were no requests with a new token.',
      }),
      make('NewVersionDenials', {
        metric: metrics.newVersionDenies,
        threshold: 1,
        periods: twoOfFive,
        meaning:
          'During a release, the new version of the authorizer denies the callers whom the previous one allows.',
        missingData: 'there is no release, or too few callers to compare.',
      }),
      make('NewVersionErrors', {
        metric: metrics.newVersionFails,
        threshold: 1,
        periods: twoOfFive,
        meaning:
          'During a release, the new version of the list function fails for 5 % of its requests, and three times as often as the previous one.',
        missingData: 'there is no release, or there were no requests.',
      }),
    ];
    const others = [
      ...burn.map(notify),
      make('RetryableErrors', {
        metric: metrics.retryableShare,
        threshold: 5,
        periods: twoOfFive,
        meaning:
          'At least 5 % of served requests get a 400 with an error from 2000 to 2002: this service or the table fails.',
        missingData: noRequests,
      }),
      make('DeniedCallers', {
        metric: metrics.deniedCallerShare,
        threshold: 50,
        meaning:
          'Half of the callers with a token that the issuer signed are denied: the issuer or the stage’s settings changed.',
        missingData: 'the authorizer was not invoked, so there were no requests with a new token.',
      }),
      make('Denials', {
        metric: metrics.forbiddenShare,
        threshold: 50,
        periods: { breaching: 3, of: 5 },
        meaning:
          'Half of all requests get a 403: an attacker or a broken client, if the alarm DeniedCallers is not on as well.',
        missingData: noRequests,
      }),
      make('TooManyRequests', {
        metric: metrics.tooManyRequestsShare,
        threshold: 5,
        periods: { breaching: 3, of: 5 },
        meaning:
          'At least 5 % of requests get a 429: together, the callers exceed the throttle of the stage.',
        missingData: noRequests,
      }),
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
    this.all = [...this.rollbackAlarms, ...others];
  }
}
