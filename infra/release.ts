import { Annotations, Duration, type Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BundledFunction, type ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

/**
 * Releases each function by canary: a hook checks the new version, which then gets 10 % of the requests for ten minutes.
 * One of the function's alarms rolls it back. An urgent release gives it all requests at once, without hook and alarms.
 */
export const releaseByCanary = (
  stack: Stack,
  stage: Stage,
  rollback: ReadonlyMap<ServiceFunction, readonly Alarm[]>,
  isUrgent: boolean,
): void => {
  // Both versions share a role, so a canary that changes the table fails (docs/runbook.md#restore-the-table).
  if (stage.tableName !== undefined && !isUrgent) {
    const message = `If the deployed stack does not use the table ${stage.tableName} yet, deploy with --context urgent=true.`;
    Annotations.of(stack).addInfo(message);
  }
  const application = new LambdaApplication(stack, 'Releases');
  for (const [tested, alarms] of rollback) {
    // The id does not begin with the function's, by which operators find the function.
    const id = `PreTraffic${tested.node.id}`;
    // One for each function: a good version can be released while another function's check fails.
    const hook = new BundledFunction(stack, id, 'index.handler', {
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
            alarms: [...alarms],
            preHook: hook,
          }),
    });
    // First the hook must know the new version, and CodeDeploy how to shift and whether to invoke the hook.
    tested.live.node.addDependency(group, ...(isUrgent ? [] : [hook]));
  }
};
