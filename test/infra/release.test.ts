import { Template } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { differences } from '../support/resources.ts';
import { operationIds, stackOf, stageNamed, templateOf } from '../support/synthesized.ts';

const prod = templateOf(stageNamed('prod'));
const functionIds = ['Authorizer', ...operationIds];

// The snapshots of stack.test.ts check canaries, hooks and rollbacks.
it('an urgent release shifts all requests at once, without hook and alarm, and changes nothing else', () => {
  const urgent = Template.fromStack(stackOf(stageNamed('prod'), { isUrgent: true }));
  const changes = functionIds.flatMap((id) => [
    // It depends on the deployment group: otherwise CodeDeploy could still shift by canary.
    [`${id}Aliaslive/DependsOn/1`, expect.stringMatching(/ReleaseServiceRole[0-9A-F]{8}$/)],
    [`${id}Aliaslive/DependsOn/2`, undefined],
    [`${id}Aliaslive/DependsOn/3`, undefined],
    [`${id}Aliaslive/UpdatePolicy/CodeDeployLambdaAliasUpdate/BeforeAllowTrafficHook`, undefined],
    [`${id}Release/Properties/DeploymentConfigName`, 'CodeDeployDefault.LambdaAllAtOnce'],
    [`${id}Release/Properties/AlarmConfiguration/Enabled`, false],
    [`${id}Release/Properties/AlarmConfiguration/Alarms`, undefined],
    // DEPLOYMENT_STOP_ON_ALARM
    [`${id}Release/Properties/AutoRollbackConfiguration/Events/2`, undefined],
    // CodeDeploy may not invoke the hook, and the hook may not report to CodeDeploy.
    [`${id}ReleaseServiceRoleDefaultPolicy`, undefined],
    [`PreTraffic${id}RoleDefaultPolicy/Properties/PolicyDocument/Statement/2`, undefined],
  ]);
  expect(differences(prod.toJSON(), urgent.toJSON())).toStrictEqual(Object.fromEntries(changes));
});

it('a commit that changes no function deploys no version, and is an output of the stack', () => {
  const other = Template.fromStack(stackOf(stageNamed('prod'), { commit: 'c0ffee' }));
  const { '/Outputs/Commit/Value': commit, ...others } = differences(prod.toJSON(), other.toJSON());
  expect([commit, others]).toEqual(['c0ffee', {}]);
});
