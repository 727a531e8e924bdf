import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/** Gives a new version of each function 10 % of its traffic for five minutes, and takes it back when an alarm goes off. */
export const releaseByCanary = (
  scope: Construct,
  functions: readonly ServiceFunction[],
  alarms: readonly Alarm[],
): void => {
  const application = new LambdaApplication(scope, 'Releases');
  for (const each of functions) {
    new LambdaDeploymentGroup(each, 'Release', {
      application,
      alias: each.live,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [...alarms],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
  }
};
