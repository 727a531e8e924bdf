import { Duration, type Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BundledFunction, type ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

/**
 * Releases each function by canary: after a hook's check, a new version gets 10 % of the requests for ten
 * minutes, and the function's alarms roll it back. An urgent release shifts at once, without hook and alarms.
 */
export const releaseByCanary = (
  stack: Stack,
  stage: Stage,
  rollback: ReadonlyMap<ServiceFunction, readonly Alarm[]>,
  isUrgent: boolean,
): void => {
  const application = new LambdaApplication(stack, 'Releases');
  for (const [tested, alarms] of rollback) {
    // The id must not begin with the function's: operators find the function by that prefix.
    const id = `PreTraffic${tested.node.id}`;
    // One for each function: its release does not depend on another function's check.
    const hook = new BundledFunction(stack, id, 'index.handler', {
      stage,
      folder: 'pre-traffic-hook',
      description: `Checks a new version of ${tested.node.id} before it gets traffic`,
      memoryMb: 256,
      // Longer than both of its deadlines together (`bounds` in functions/pre-traffic-hook/handler.ts).
      timeout: Duration.minutes(2),
      environment: {
        ...tested.check,
        // CodeDeploy does not name the released version in the event of a hook.
        TESTED_FUNCTION: tested.functionName,
        TESTED_VERSION: tested.currentVersion.version,
      },
    });
    // All versions, because a new permission in each release would take seconds to be in effect.
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
            // Five minutes could end before late log lines arrive: docs/slo.md.
            deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
            alarms: [...alarms],
            preHook: hook,
          }),
    });
    // The alias moves last: hook and deployment group must have their new settings first.
    tested.live.node.addDependency(group, ...(isUrgent ? [] : [hook]));
  }
};
