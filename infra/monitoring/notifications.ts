import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { isEmail, type Stage } from '../stage.ts';

/**
 * Notifies each recipient, by e-mail or https, when an alarm fires and when it is OK again. E-mail recipients
 * also get a mail when the account has cost 80 % of the month's AWS budget, or is forecast to exceed it.
 */
export const notify = (
  scope: Construct,
  { alarmRecipients, monthlyBudgetDollars: amount }: Stage,
  alarms: readonly AlarmBase[],
): void => {
  const topic = new Topic(scope, 'Alarm', { enforceSSL: true });
  // A topic with its own policy loses the default one, which allows CloudWatch to publish.
  topic.grantPublish(
    new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  for (const each of alarmRecipients) {
    topic.addSubscription(isEmail(each) ? new EmailSubscription(each) : new UrlSubscription(each));
  }
  const action = new SnsAction(topic);
  for (const alarm of alarms) {
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
  const subscribers = alarmRecipients
    .filter(isEmail)
    .map((address) => ({ subscriptionType: 'EMAIL', address }));
  if (subscribers.length === 0) return;
  const mailAt = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold },
    subscribers,
  });
  new CfnBudget(scope, 'Budget', {
    budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount, unit: 'USD' } },
    notificationsWithSubscribers: [mailAt('ACTUAL', 80), mailAt('FORECASTED', 100)],
  });
};
