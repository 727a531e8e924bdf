import { Duration } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import {
  type LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BundledFunction, type ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

export interface ReleaseProps {
  readonly stage: Stage;
  readonly application: LambdaApplication;
  /** A release during which one goes off is rolled back. */
  readonly rollback: readonly Alarm[];
  /** Whether new versions get all requests at once, without a check and whatever alarms say, as in a rollback. */
  readonly isUrgent: boolean;
}

/**
 * Lets a hook check a function's new version, then shifts 10 % of its requests to it for ten minutes, and rolls back
 * when an alarm goes off. An urgent release does none of this.
 */
export const releaseByCanary = (
  tested: ServiceFunction,
  { stage, application, rollback, isUrgent }: ReleaseProps,
): void => {
  // The id does not begin with the function's, by which operators find the function.
  const id = `PreTraffic${tested.node.id}`;
  // One for each function: a good version can be released while another function's check fails.
  const hook = new BundledFunction(tested.stack, id, 'index.handler', {
    stage,
    folder: 'pre-traffic-hook',
    description: `Checks a new version of ${tested.node.id} before it gets traffic`,
    memoryMb: 256,
    // Longer than all attempts of its three requests to AWS.
    timeout: Duration.minutes(2),
    environment: {
      ...tested.check,
      // CodeDeploy does not tell a hook which version it releases.
      TESTED_FUNCTION: tested.functionName,
      TESTED_VERSION: tested.currentVersion.version,
    },
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
          // Five would be over when the first log lines arrive late: docs/slo.md.
          deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
          alarms: [...rollback],
          preHook: hook,
        }),
  });
  // Before the alias moves, the hook must know the new version, and CodeDeploy whether to invoke the hook and how to shift.
  tested.live.node.addDependency(group, ...(isUrgent ? [] : [hook]));
};
