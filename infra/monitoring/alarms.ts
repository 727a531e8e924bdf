import { Annotations, Duration, type Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Service } from '../service.ts';
import type { Stage } from '../stage-type.ts';
import { serviceDashboard } from './dashboard.ts';
import { addMailedLogMetrics } from './log-metrics.ts';
import { countBreaches, largest, percentage, type ServiceMetrics } from './metrics.ts';

/** Tells the person on call what an alarm means, and which section of the runbook to follow. */
const describe = (meaning: string, section: string): string =>
  `${meaning} What to do: "${section}" in docs/runbook.md.`;

interface AlarmProps {
  readonly name: string;
  /** A sentence for the person on call. */
  readonly meaning: string;
  /** The section of docs/runbook.md, if it is not called like the alarm. */
  readonly section?: string;
  readonly metric: cloudwatch.IMetric;
  /** The lowest value that breaches. */
  readonly threshold: number;
  readonly datapointsToAlarm?: number;
  readonly evaluationPeriods?: number;
}

/** Makes an alarm that fires when two of five minutes breach, which is soon enough for a canary. */
export const alarm = (stack: Stack, { name, meaning, section = name, ...props }: AlarmProps) =>
  new cloudwatch.Alarm(stack, name, {
    alarmName: `${stack.stackName}-${name}`,
    alarmDescription: describe(meaning, section),
    // There is no data without requests, or without log lines of failures.
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
    datapointsToAlarm: 2,
    evaluationPeriods: 5,
    ...props,
  });

/** The shortest time between two mails of an alarm. */
const mailPauseMinutes = 60;

type HeldAlarmProps = AlarmProps & Required<Pick<AlarmProps, 'datapointsToAlarm' | 'evaluationPeriods'>>;

/**
 * Makes an alarm that fires when `datapointsToAlarm` of the last `evaluationPeriods` minutes breach, and
 * stays on until this has not been the case for an hour. So it mails at most once an hour, however often
 * minutes breach.
 */
const heldAlarm = (stack: Stack, props: HeldAlarmProps) => {
  const { metric, threshold, datapointsToAlarm, evaluationPeriods } = props;
  return alarm(stack, {
    ...props,
    metric: countBreaches(metric, threshold, evaluationPeriods),
    threshold: datapointsToAlarm,
    datapointsToAlarm: 1,
    // In the first minutes of the window, `countBreaches` looks back to before the window, where CloudWatch
    // may have no data. So the window begins `evaluationPeriods` minutes before the hour.
    evaluationPeriods: mailPauseMinutes + evaluationPeriods,
  });
};

/** A topic that alarms of this account can publish to. */
const alarmTopic = (stack: Stack, id: string): Topic => {
  const topic = new Topic(stack, id, { enforceSSL: true });
  // A topic with its own policy loses the default one, which allows CloudWatch to publish.
  const conditions = { StringEquals: { 'aws:SourceAccount': stack.account } };
  topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
  return topic;
};

type BurnRate = (window: Duration, atLeast: number) => cloudwatch.IMetric;

/**
 * Fires while an hour and its last minutes both use the budget 14.4 times too fast, which is 2 % of a month's
 * budget in that hour (SRE Workbook, chapter 5: 14.4 h / 720 h = 2 %).
 *
 * FastBurn cannot stay on like `heldAlarm`, because it combines windows of two lengths. Instead,
 * FastBurnPaused suppresses its mails for an hour after FastBurnBegun fires and for an hour after FastBurn
 * mails. Both publish to a topic without subscribers, whose messages SNS counts:
 *
 *     FastBurnHour and FastBurnMinutes → FastBurnBegun → FastBurn → mail
 *     FastBurnBegun or FastBurn → topic FastBurnCount → FastBurnPaused → no mail of FastBurn
 */
const fastBurnAlarm = (stack: Stack, burnRate: BurnRate) => {
  const count = alarmTopic(stack, 'FastBurnCount');
  const component = (props: Omit<AlarmProps, 'meaning' | 'section'>) =>
    alarm(stack, { ...props, meaning: 'A part of FastBurn.', section: 'FastBurn' });
  const hour = component({
    name: 'FastBurnHour',
    // Fewer than ten failures in an hour, as at night, count as none.
    metric: burnRate(Duration.hours(1), 10),
    threshold: 14.4,
    datapointsToAlarm: 1,
    evaluationPeriods: 1,
  });
  const minutes = component({
    name: 'FastBurnMinutes',
    metric: burnRate(Duration.minutes(1), 1),
    threshold: 14.4,
    // SNS counts a message up to six minutes late. With a shorter window, FastBurn could end and fire again
    // before the first message is counted (docs/slo.md).
    evaluationPeriods: 15,
  });
  const paused = component({
    name: 'FastBurnPaused',
    metric: count.metricNumberOfMessagesPublished({ period: Duration.minutes(1) }),
    threshold: 1,
    datapointsToAlarm: 1,
    evaluationPeriods: mailPauseMinutes,
  });
  const begun = new cloudwatch.CompositeAlarm(stack, 'FastBurnBegun', {
    compositeAlarmName: `${stack.stackName}-FastBurnBegun`,
    alarmDescription: describe('A part of FastBurn.', 'FastBurn'),
    alarmRule: cloudwatch.AlarmRule.allOf(hour, minutes),
  });
  const mailing = new cloudwatch.CompositeAlarm(stack, 'FastBurn', {
    compositeAlarmName: `${stack.stackName}-FastBurn`,
    alarmDescription: describe("Failed or slow requests use a month's budget up in two days.", 'FastBurn'),
    alarmRule: begun,
    actionsSuppressor: paused,
    actionsSuppressorWaitPeriod: Duration.seconds(0),
    actionsSuppressorExtensionPeriod: Duration.seconds(0),
  });
  for (const counted of [begun, mailing]) counted.addAlarmAction(new SnsAction(count));
  return mailing;
};

interface NotificationProps {
  readonly stage: Stage;
  readonly service: Service;
  readonly metrics: ServiceMetrics;
}

/** Notifies the recipients of alarms, and makes a dashboard. docs/slo.md shows which alarm fires when. */
export const notifyOnAlarms = (stack: Stack, { stage, service, metrics }: NotificationProps): void => {
  const { requests: whole, failed, slow, refused, authorizer } = metrics;
  const { keySetFailures, damagedItems } = addMailedLogMetrics(service);
  // CDK warns of metrics that are used in windows of several lengths, as intended here.
  Annotations.of(stack).acknowledgeWarning('CloudWatch:Math:MetricsPeriodsOverridden');
  // The burn rate is 1 if requests just meet an objective: 0.1 % fail (10 × 0.1 = 1), or 1 % are slow.
  const burnRate: BurnRate = (window, atLeast) => {
    const failedShare = percentage({ part: failed, whole }, atLeast, window);
    const slowShare = percentage({ part: slow, whole }, atLeast, window);
    return largest(['10 * failedShare', 'slowShare'], { failedShare, slowShare }, window);
  };
  const alarms = [
    fastBurnAlarm(stack, burnRate),
    heldAlarm(stack, {
      name: 'DeniedCallers',
      meaning: 'At least 5 % of callers with a current token are denied.',
      metric: authorizer.percentages.deniedShare,
      threshold: 5,
      datapointsToAlarm: 2,
      evaluationPeriods: 5,
    }),
    heldAlarm(stack, {
      name: 'KeySetFailures',
      meaning: "The issuer's keys cannot be fetched. A copy is used for an hour.",
      metric: keySetFailures,
      threshold: 1,
      // Three minutes, because a failure in a single minute is usually one of the network. Eight minutes,
      // because log lines can be three minutes late.
      datapointsToAlarm: 3,
      evaluationPeriods: 8,
    }),
    heldAlarm(stack, {
      name: 'Refused',
      meaning: 'Many requests get a 4xx: an attacker, a broken client, or the throttle.',
      metric: percentage({ part: refused, whole }, 50),
      threshold: stage.refusedPercent ?? 20,
      // Four minutes, because a failure with status 400 counts as refused until its log line arrives, up to
      // three minutes late (3 + 1 = 4).
      datapointsToAlarm: 4,
      evaluationPeriods: 6,
    }),
    alarm(stack, {
      name: 'DamagedItems',
      meaning: 'Damaged items are left out of responses: callers do not see all plants.',
      metric: damagedItems,
      threshold: 1,
      // 720 minutes are twelve hours, so that repeated reads of an item cause one mail.
      datapointsToAlarm: 1,
      evaluationPeriods: 720,
    }),
  ];
  const topic = alarmTopic(stack, 'Alarm');
  for (const recipient of new Set(stage.alarmRecipients)) {
    const Subscription = recipient.startsWith('https://') ? UrlSubscription : EmailSubscription;
    topic.addSubscription(new Subscription(recipient));
  }
  // No alarm mails when it is OK again, because that would double the mails of an alarm that comes and goes.
  for (const notifying of alarms) notifying.addAlarmAction(new SnsAction(topic));
  serviceDashboard(stack, { service, metrics, alarms });
};
