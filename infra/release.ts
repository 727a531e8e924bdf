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

/** How the functions of a stack are released. */
export interface Canary {
  readonly application: LambdaApplication;
  /** Whether new versions get all requests at once, without a check and whatever alarms say, as in a rollback. */
  readonly isUrgent: boolean;
}

export interface ReleaseProps extends Canary {
  readonly stage: Stage;
  /** A release during which one goes off is rolled back. */
  readonly rollback: readonly Alarm[];
  /** The kind of check of a new version, and what it must know: variables of the hook (functions/pre-traffic-hook). */
  readonly check:
    | { readonly CHECK: 'operation'; readonly ROUTE: string; readonly WITHOUT_PLANTS: string }
    | { readonly CHECK: 'authorizer'; readonly TOKEN_ALGORITHMS: string };
}

/**
 * Lets a hook check a function's new version, then shifts 10 % of its requests to it for five minutes, and rolls back
 * when an alarm goes off. An urgent release does none of this.
 */
export const releaseByCanary = (
  tested: ServiceFunction,
  { application, isUrgent, stage, rollback, check }: ReleaseProps,
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
      ...check,
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
          deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
          alarms: [...rollback],
          preHook: hook,
        }),
  });
  // Before the alias moves, the hook must know the new version, and CodeDeploy whether to invoke the hook and how to shift.
  tested.live.node.addDependency(group, ...(isUrgent ? [] : [hook]));
};
