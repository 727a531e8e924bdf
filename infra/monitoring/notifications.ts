import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';

/** The topic that alarms notify, with a subscription for each e-mail address. */
export const alarmTopic = (scope: Construct, emails: readonly string[]): Topic => {
  const topic = new Topic(scope, 'Alarm', { enforceSSL: true });
  // A topic with its own policy loses the default one, which allows CloudWatch to publish.
  topic.grantPublish(
    new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  for (const email of emails) topic.addSubscription(new EmailSubscription(email));
  return topic;
};

/** Mails the operators when the account has cost 80 % of a month's budget, and when it will exceed it. */
export const monthlyBudget = (scope: Construct, dollars: number, emails: readonly string[]): CfnBudget => {
  const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold },
    subscribers: emails.map((address) => ({ subscriptionType: 'EMAIL', address })),
  });
  return new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: dollars, unit: 'USD' },
    },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  });
};
