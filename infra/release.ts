import { Stack } from 'aws-cdk-lib';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { Alarms } from './monitoring/alarms.ts';
import { PreTrafficHook } from './pre-traffic-hook.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';
import type { AcceptedTokens } from './token-environment.ts';

export interface ReleaseProps {
  readonly stage: Stage;
  readonly commit: string;
  readonly listPlants: ServiceFunction;
  readonly authorizer: ServiceFunction;
  readonly tokens: AcceptedTokens;
  readonly logGroup: (id: string) => LogGroup;
  readonly alarms: Alarms;
}

/**
 * Lets a hook check each function's new version, then shifts 10 % of its traffic to it for five minutes, and rolls back when
 * an alarm goes off.
 */
export const releaseByCanary = (
  scope: Construct,
  { stage, commit, listPlants, authorizer, tokens, logGroup, alarms }: ReleaseProps,
): void => {
  const application = new LambdaApplication(scope, 'Releases');
  const release = (tested: ServiceFunction, environment: Readonly<Record<string, string>>): void => {
    // The id does not begin with the function's, by which operators find the function.
    const id = `PreTraffic${tested.node.id}`;
    const hook = new PreTrafficHook(scope, id, {
      tested,
      environment,
      stage,
      commit,
      logGroup: logGroup(`${id}Log`),
    });
    const group = new LambdaDeploymentGroup(tested, 'Release', {
      application,
      alias: tested.live,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: [...alarms.rollbackAlarms],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      preHook: hook,
    });
    // The hook must know the new version, and CodeDeploy must have the right to invoke the hook, before the alias moves.
    tested.live.node.addDependency(hook, group);
    acknowledge(tested.live, {
      rules: ['W3005'],
      reason:
        'The references are in an update policy, and CloudFormation does not document that these order an update.',
    });
    acknowledgePolicies(group, hook);
  };
  release(listPlants, {});
  release(authorizer, { TOKEN_ALGORITHMS: tokens.TOKEN_ALGORITHMS });
};

const acknowledgePolicies = ({ role }: LambdaDeploymentGroup, hook: PreTrafficHook): void => {
  acknowledge(role, {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    ],
    reason:
      'CDK gives each deployment group this policy, the narrower of the two that AWS manages for it, and only CodeDeploy can assume the role.',
  });
  const hookFunction = hook.node.defaultChild;
  if (!(hookFunction instanceof CfnFunction)) throw new Error('The hook is a function.');
  acknowledge(role.node.findChild('DefaultPolicy'), {
    rules: [`AwsSolutions-IAM5[Resource::<${Stack.of(hook).getLogicalId(hookFunction)}.Arn>:*]`],
    reason: 'CDK lets CodeDeploy invoke every version of the hook, which has only one.',
  });
};
