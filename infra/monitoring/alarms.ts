import { Annotations, Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Service } from '../service.ts';
import type { Stage } from '../stage-settings.ts';
import { serviceDashboard } from './dashboard.ts';
import { countLines, serviceMetrics, type Share, share } from './metrics.ts';

/** The meaning of an alarm for the person on call, and the section of the runbook. */
const describe = (meaning: string, section: string): string =>
  `${meaning} What to do: “${section}” in docs/runbook.md.`;

/** The threshold is the lowest value that breaches. */
type AlarmProps = Pick<cloudwatch.AlarmProps, 'metric' | 'threshold'> & Partial<cloudwatch.AlarmProps>;

/** By default, two bad minutes of five fire it: early enough for a canary, and one bad minute does not. */
export const alarm = (stack: Stack, name: string, meaning: string, props: AlarmProps, section = name) =>
  new cloudwatch.Alarm(stack, name, {
    alarmName: `${stack.stackName}-${name}`,
    alarmDescription: describe(meaning, section),
    // There is no data without requests, or without log lines of failures.
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    datapointsToAlarm: 2,
    evaluationPeriods: 5,
    ...props,
  });

/** Two windows burn a budget 14.4 times too fast: 2 % of a month's in an hour (SRE Workbook, chapter 5). */
const burnAlarm = (stack: Stack, name: string, threshold: number, bad: Share) => {
  const meaning = 'A part of FastBurn.';
  // A few failures, as at night, are no reason to notify people.
  const hour = { metric: share(bad, 10, Duration.hours(1)), datapointsToAlarm: 1, evaluationPeriods: 1 };
  // Log lines can be three minutes late.
  const minutes = { metric: share(bad, 1), evaluationPeriods: 8 };
  return cloudwatch.AlarmRule.allOf(
    alarm(stack, `FastBurn${name}Hour`, meaning, { ...hour, threshold }, 'FastBurn'),
    alarm(stack, `FastBurn${name}Minutes`, meaning, { ...minutes, threshold }, 'FastBurn'),
  );
};

interface NotificationProps {
  readonly stage: Stage;
  readonly service: Service;
}

/** Notifies the recipients of alarms, and makes a dashboard. docs/slo.md shows which alarm fires when. */
export const notifyOnAlarms = (stack: Stack, { stage, service }: NotificationProps): void => {
  const { requests: whole, failed, slow, refused, authorizer } = serviceMetrics(service);
  // The same metrics are watched over several windows.
  Annotations.of(stack).acknowledgeWarning('CloudWatch:Math:MetricsPeriodsOverridden');
  const alarms = [
    new cloudwatch.CompositeAlarm(stack, 'FastBurn', {
      compositeAlarmName: `${stack.stackName}-FastBurn`,
      alarmDescription: describe('Failed or slow requests use a month’s budget up in two days.', 'FastBurn'),
      alarmRule: cloudwatch.AlarmRule.anyOf(
        burnAlarm(stack, 'Failed', 1.44, { part: failed, whole }),
        burnAlarm(stack, 'Slow', 14.4, { part: slow, whole }),
      ),
    }),
    alarm(stack, 'DeniedCallers', 'At least 5 % of callers with a current token are denied.', {
      metric: authorizer.shares.deniedShare,
      threshold: 5,
    }),
    alarm(stack, 'KeySetFailures', 'The issuer’s keys cannot be fetched. A copy is used for an hour.', {
      metric: countLines([service.authorizer], 'KeySetFailures'),
      threshold: 1,
      // A failure in one minute is usually the network, and log lines can be three minutes late.
      datapointsToAlarm: 3,
      evaluationPeriods: 8,
    }),
    alarm(stack, 'Refused', 'Many requests get a 4xx: an attacker, a broken client, or the throttle.', {
      metric: share({ part: refused, whole }, 50),
      threshold: stage.refusedPercent ?? 20,
      // A failure that is a 400 counts as refused until its log line arrives, up to three minutes late.
      datapointsToAlarm: 4,
      evaluationPeriods: 6,
    }),
    alarm(stack, 'DamagedItems', 'Damaged items are left out of responses: callers do not see all plants.', {
      metric: countLines(service.operations, 'DamagedItems'),
      threshold: 1,
      // Twelve hours, so that repeated reads of an item cause one mail.
      datapointsToAlarm: 1,
      evaluationPeriods: 720,
    }),
  ];
  const topic = new Topic(stack, 'Alarm', { enforceSSL: true });
  // A topic with its own policy loses the default one, which allows CloudWatch to publish.
  const conditions = { StringEquals: { 'aws:SourceAccount': stack.account } };
  topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
  for (const each of new Set(stage.alarmRecipients)) {
    const Subscription = each.startsWith('https://') ? UrlSubscription : EmailSubscription;
    topic.addSubscription(new Subscription(each));
  }
  for (const each of alarms) each.addAlarmAction(new SnsAction(topic));
  for (const each of alarms) each.addOkAction(new SnsAction(topic));
  serviceDashboard(stack, { service, alarms });
};
