import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { ServiceFunction } from './service-function.ts';

/** Shifts 10 % of each function's traffic to a new version for five minutes, and rolls back when an alarm goes off. */
export const releaseByCanary = (
  scope: Construct,
  functions: readonly ServiceFunction[],
  alarms: readonly Alarm[],
): void => {
  const application = new LambdaApplication(scope, 'Releases');
  for (const each of functions) {
    const { role } = new LambdaDeploymentGroup(each, 'Release', {
      application,
      alias: each.live,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [...alarms],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    acknowledge(role, {
      rules: [
        'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      ],
      reason:
        'CDK gives each deployment group this policy, the narrower of the two that AWS manages for it, and only CodeDeploy can assume the role.',
    });
  }
};
