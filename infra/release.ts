import { Duration } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { BundledFunction, type ServiceFunction, type ServiceFunctions } from './service-function.ts';
import type { Stage } from './stage.ts';

export interface ReleaseProps {
  readonly stage: Stage;
  readonly functions: ServiceFunctions;
  readonly logGroup: (id: string) => LogGroup;
  readonly rollback: readonly Alarm[];
  readonly isUrgent: boolean;
}

/**
 * Lets a hook check each function's new version, then shifts 10 % of its requests to it for five minutes, and rolls back
 * when an alarm goes off. An urgent release does none of this.
 */
export const release = (
  scope: Construct,
  { stage, functions, logGroup, rollback, isUrgent }: ReleaseProps,
): void => {
  const application = new LambdaApplication(scope, 'Releases');
  const releaseOf = (tested: ServiceFunction): void => {
    // The id does not begin with the function's, by which operators find the function.
    const id = `PreTraffic${tested.node.id}`;
    // One for each function: a good version can be released while the other function's check fails.
    const hook = new BundledFunction(scope, id, 'index.handler', {
      stage,
      folder: 'pre-traffic-hook',
      description: `Checks a new version of ${tested.node.id} before it gets traffic`,
      memoryMb: 256,
      // Longer than all attempts of its three requests to AWS.
      timeout: Duration.minutes(2),
      environment: {
        ...tested.hookEnvironment,
        // CodeDeploy does not tell a hook which version it releases.
        TESTED_FUNCTION: tested.functionName,
        TESTED_VERSION: tested.currentVersion.version,
      },
      logGroup: logGroup(`${id}Log`),
    });
    // All versions: a right to each would be new in every release, and take seconds to be in effect.
    hook.addToRolePolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [`${tested.functionArn}:*`] }),
    );
    const group = new LambdaDeploymentGroup(tested, 'Release', {
      application,
      alias: tested.live,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: !isUrgent },
      ...(isUrgent
        ? { deploymentConfig: LambdaDeploymentConfig.ALL_AT_ONCE, alarms: [] }
        : {
            deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
            alarms: [...rollback],
            preHook: hook,
          }),
    });
    // Before the alias moves, the hook must know the new version, and CodeDeploy whether to invoke the hook and how to shift.
    tested.live.node.addDependency(group, ...(isUrgent ? [] : [hook]));
  };
  for (const each of Object.values(functions)) releaseOf(each);
};
