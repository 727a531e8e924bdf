import { Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';

/** The topic that alarms notify, with a subscription for each e-mail address. */
export const alarmTopic = (scope: Construct, emails: readonly string[]): Topic => {
  const topic = new Topic(scope, 'Alarm', { enforceSSL: true });
  acknowledge(topic, {
    rules: ['CKV_AWS_26'],
    reason:
      'A message holds an alarm’s name, meaning and state, and CloudWatch cannot publish under the key that AWS manages.',
  });
  // A topic with its own policy loses the default one, which allows CloudWatch to publish.
  topic.grantPublish(
    new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  for (const email of emails) {
    acknowledge(topic.addSubscription(new EmailSubscription(email)), {
      rules: ['Serverless-SNSRedrivePolicy'],
      reason:
        'The dashboard shows an alarm even if its mail was lost, and a queue for lost mails would not be read.',
    });
  }
  return topic;
};
