import { Annotations, Duration, Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  type AlarmBase,
  AlarmRule,
  CompositeAlarm,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import type { Stage } from '../stage.ts';
import { serviceDashboard } from './dashboard.ts';
import { metricMath } from './metric-math.ts';
import { type MonitoredService, serviceMetrics } from './metrics.ts';
import { alarmTopic, monthlyBudget } from './notifications.ts';
import { budgets, burns } from './objective.ts';
import { describeAlarm, serviceAlarm } from './service-alarm.ts';

export interface AlarmsProps {
  readonly stage: Stage;
  readonly service: MonitoredService;
}

/** What alarms mean, for the person on call. */
const meanings = {
  Release:
    'At least 5 % of all requests fail, are slow or cannot be decided. This only rolls a release of the authorizer back.',
  DeniedCallers:
    'At least 5 % of callers with a current token of the issuer are denied. This also rolls a release back.',
  KeySetFailures:
    'The issuer’s keys cannot be fetched. A copy is used for an hour; without one, callers get a 500.',
  Refused: 'At least a fifth of all requests get a 4xx: an attacker, a broken client, or the throttle.',
  NearThrottle: 'The requests reach 80 % of the stage’s throttle. Beyond it, callers get a 429.',
  DamagedItems: 'Damaged items are left out of responses, so some callers do not see all their plants.',
};

/** Fewer requests in the long window of a burn set off no alarm, so that one failure at night does not. */
const floorOfRequests = 200;

/** Watches the service, and notifies the stage's recipients. docs/slo.md shows which alarm goes off when. */
export class Alarms extends Construct {
  /** A release of the authorizer, which every request meets, is rolled back when one of these goes off. */
  readonly rollback: readonly Alarm[];

  constructor(scope: Construct, id: string, { stage, service }: AlarmsProps) {
    super(scope, id);
    const sameMetrics = 'The same metrics are watched over several windows.';
    Annotations.of(scope).acknowledgeWarning('CloudWatch:Math:MetricsPeriodsOverridden', sameMetrics);
    const { stackName } = Stack.of(this);
    const metrics = serviceMetrics(this, service);
    const notification = new SnsAction(alarmTopic(scope, stage.alarmEmails));
    const notify = (alarm: AlarmBase): AlarmBase => {
      alarm.addAlarmAction(notification);
      alarm.addOkAction(notification);
      return alarm;
    };

    /** An alarm when so many of the last five minutes are at the threshold or above. */
    const inMinutes = (
      breaching: number,
      name: keyof typeof meanings,
      metric: IMetric,
      threshold: number,
    ): Alarm => {
      const description = describeAlarm(name, meanings[name]);
      return serviceAlarm(this, name, { name, description, metric, threshold, periods: [breaching, 5] });
    };

    /** Goes off when a budget burns too fast over both windows. */
    const burning = burns.map(({ id: burnId, rate, shortMinutes, longMinutes }) => {
      const rules = budgets.map(({ name, percent, missed }) => {
        // The metrics of an expression have one period, so each window is an alarm of its own.
        const inWindow = (minutes: number, expression: string): Alarm => {
          const part = `${burnId}${name}${String(minutes)}Minutes`;
          return serviceAlarm(this, part, {
            name: part,
            description: `A part of ${stackName}-${burnId}, which notifies people.`,
            metric: metricMath(expression, metrics, part, Duration.minutes(minutes)),
            threshold: Number((rate * percent).toFixed(3)),
            periods: [1, 1],
          });
        };
        const long = `IF(requests < ${String(floorOfRequests)}, 0, ${missed})`;
        return AlarmRule.allOf(inWindow(shortMinutes, missed), inWindow(longMinutes, long));
      });
      const meaning = `Failed or slow requests use up a month’s budget ${String(rate)} times too fast.`;
      return new CompositeAlarm(this, burnId, {
        compositeAlarmName: `${stackName}-${burnId}`,
        alarmDescription: describeAlarm(burnId, meaning),
        alarmRule: AlarmRule.anyOf(...rules),
      });
    });

    // Two minutes are early enough for a canary of five, and a single bad minute rolls nothing back.
    const release = inMinutes(2, 'Release', metrics.worstShare, 5);
    const deniedCallers = inMinutes(2, 'DeniedCallers', metrics.deniedCallerShare, 5);
    this.rollback = [release, deniedCallers];
    const paging = [
      ...burning,
      deniedCallers,
      // A failure in one minute is usually the network.
      inMinutes(3, 'KeySetFailures', metrics.keySetFailures, 1),
      inMinutes(3, 'Refused', metrics.refusedShare, 20),
      inMinutes(2, 'NearThrottle', metrics.requests, 0.8 * stage.throttle.rateLimit * 60),
      inMinutes(1, 'DamagedItems', metrics.damagedItems, 1),
    ].map(notify);
    const releases = service.operations.map(({ health }) => health.release);
    serviceDashboard(scope, [...paging, release, ...releases], metrics, service);
    if (stage.alarmEmails.length > 0) monthlyBudget(scope, stage.monthlyBudgetDollars, stage.alarmEmails);
  }
}
