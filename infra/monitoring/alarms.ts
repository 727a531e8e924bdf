import { Annotations, Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Service } from '../operation.ts';
import { serviceDashboard } from './dashboard.ts';
import { countLines, serviceMetrics, type Share, share } from './metrics.ts';

/** The meaning of an alarm for the person on call, and the section of the runbook. */
const describe = (meaning: string, section: string): string =>
  `${meaning} What to do: “${section}” in docs/runbook.md.`;

/** The threshold is the lowest value that breaches. */
type AlarmProps = Pick<cloudwatch.AlarmProps, 'metric' | 'threshold'> & Partial<cloudwatch.AlarmProps>;

/** By default, two bad minutes of five fire it: early enough for a canary, and one bad minute does not. */
export const alarm = (scope: Construct, name: string, meaning: string, props: AlarmProps, section = name) =>
  new cloudwatch.Alarm(scope, name, {
    alarmName: `${Stack.of(scope).stackName}-${name}`,
    alarmDescription: describe(meaning, section),
    // There is no data without requests, or without log lines of failures.
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    datapointsToAlarm: 2,
    evaluationPeriods: 5,
    ...props,
  });

/** Two windows burn a budget 14.4 times too fast: 2 % of a month's in an hour (SRE Workbook, chapter 5). */
const burnAlarm = (scope: Construct, name: string, threshold: number, bad: Share) => {
  const meaning = 'A part of FastBurn.';
  // A few failures, as at night, are no reason to notify people.
  const hour = share({ ...bad, atLeast: 10, period: Duration.hours(1) });
  const once = { datapointsToAlarm: 1, evaluationPeriods: 1 };
  // Log lines can be three minutes late.
  const minutes = { metric: share({ ...bad, atLeast: 1 }), evaluationPeriods: 8 };
  return cloudwatch.AlarmRule.allOf(
    alarm(scope, `FastBurn${name}Hour`, meaning, { metric: hour, threshold, ...once }, 'FastBurn'),
    alarm(scope, `FastBurn${name}Minutes`, meaning, { threshold, ...minutes }, 'FastBurn'),
  );
};

/** Notifies the recipients of alarms, and makes a dashboard. docs/slo.md shows which alarm fires when. */
export const notifyOnAlarms = (scope: Construct, service: Service): void => {
  const { requests: whole, failed, slow, refused, authorizer } = serviceMetrics(service);
  // The same metrics are watched over several windows.
  Annotations.of(scope).acknowledgeWarning('CloudWatch:Math:MetricsPeriodsOverridden');
  const alarms = [
    new cloudwatch.CompositeAlarm(scope, 'FastBurn', {
      compositeAlarmName: `${Stack.of(scope).stackName}-FastBurn`,
      alarmDescription: describe('Failed or slow requests use a month’s budget up in two days.', 'FastBurn'),
      alarmRule: cloudwatch.AlarmRule.anyOf(
        burnAlarm(scope, 'Failed', 1.44, { part: failed, whole }),
        burnAlarm(scope, 'Slow', 14.4, { part: slow, whole }),
      ),
    }),
    alarm(scope, 'DeniedCallers', 'At least 5 % of callers with a current token are denied.', {
      metric: authorizer.shares.deniedShare,
      threshold: 5,
    }),
    alarm(scope, 'KeySetFailures', 'The issuer’s keys cannot be fetched. A copy is used for an hour.', {
      metric: countLines([service.authorizer], 'KeySetFailures'),
      threshold: 1,
      // A failure in one minute is usually the network, and log lines can be three minutes late.
      datapointsToAlarm: 3,
      evaluationPeriods: 8,
    }),
    alarm(scope, 'Refused', 'Many requests get a 4xx: an attacker, a broken client, or the throttle.', {
      metric: share({ part: refused, whole, atLeast: 50 }),
      threshold: service.stage.refusedPercent ?? 20,
      // A failure that is a 400 counts as refused until its log line arrives, up to three minutes late.
      datapointsToAlarm: 4,
      evaluationPeriods: 6,
    }),
    alarm(scope, 'DamagedItems', 'Damaged items are left out of responses: callers do not see all plants.', {
      metric: countLines(service.operations, 'DamagedItems'),
      threshold: 1,
      // Twelve hours, so that repeated reads of an item cause one mail.
      datapointsToAlarm: 1,
      evaluationPeriods: 720,
    }),
  ];
  const topic = new Topic(scope, 'Alarm', { enforceSSL: true });
  // A topic with its own policy loses the default one, which allows CloudWatch to publish.
  const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } };
  topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
  for (const each of new Set(service.stage.alarmRecipients)) {
    const Subscription = each.startsWith('https://') ? UrlSubscription : EmailSubscription;
    topic.addSubscription(new Subscription(each));
  }
  const action = new SnsAction(topic);
  for (const each of alarms) each.addAlarmAction(action);
  for (const each of alarms) each.addOkAction(action);
  serviceDashboard(scope, service, alarms);
};
