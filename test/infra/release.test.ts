import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { stages } from '../../infra/stages.ts';
import { idOf, propertiesOf } from '../support/resources.ts';
import { stackOf, stageNamed, templateOf } from '../support/synthesized.ts';

const aliasOf = (template: Template, functionId: string): { readonly Ref: string } => ({
  Ref: idOf(template, 'AWS::Lambda::Alias', `${functionId}Alias`),
});

describe.each(stages.map((stage) => ({ name: stage.name, template: templateOf(stage) })))(
  'the API of stage $name',
  ({ template }) => {
    const list = aliasOf(template, 'ListPlants');
    const authorizer = aliasOf(template, 'Authorizer');

    it('calls both functions by the alias that a release moves', () => {
      expect(
        propertiesOf(template, 'AWS::Lambda::Alias').map((alias) => [alias['Name'], alias['FunctionName']]),
      ).toEqual(
        ['ListPlants', 'Authorizer'].map((prefix) => [
          'live',
          { Ref: idOf(template, 'AWS::Lambda::Function', prefix) },
        ]),
      );
      expect(
        propertiesOf(template, 'AWS::ApiGatewayV2::Integration').map((each) => each['IntegrationUri']),
      ).toEqual([list]);
      const [{ AuthorizerUri } = {}] = propertiesOf(template, 'AWS::ApiGatewayV2::Authorizer');
      expect(AuthorizerUri).toMatchObject({
        'Fn::Join': ['', expect.arrayContaining([authorizer, '/invocations'])],
      });
    });

    it('may call the aliases and nothing else', () => {
      expect(
        propertiesOf(template, 'AWS::Lambda::Permission').map((each) => [
          each['Principal'],
          each['FunctionName'],
        ]),
      ).toEqual([
        ['apigateway.amazonaws.com', list],
        ['apigateway.amazonaws.com', authorizer],
      ]);
    });
  },
);

const alias = z.object({
  DependsOn: z.array(z.string()),
  Properties: z.object({ FunctionVersion: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }) }),
  UpdatePolicy: z.object({
    CodeDeployLambdaAliasUpdate: z.object({
      DeploymentGroupName: z.object({ Ref: z.string() }),
      BeforeAllowTrafficHook: z.object({ Ref: z.string() }).optional(),
    }),
  }),
});

/** The alias of a function, and how a release moves it. */
const releaseOf = (template: Template, functionId: string) => {
  const { DependsOn, Properties, UpdatePolicy } = alias.parse(
    template.findResources('AWS::Lambda::Alias')[aliasOf(template, functionId).Ref],
  );
  const { DeploymentGroupName, BeforeAllowTrafficHook } = UpdatePolicy.CodeDeployLambdaAliasUpdate;
  return {
    dependsOn: DependsOn,
    version: Properties.FunctionVersion,
    group: template.findResources('AWS::CodeDeploy::DeploymentGroup')[DeploymentGroupName.Ref],
    groupId: DeploymentGroupName.Ref,
    hookId: BeforeAllowTrafficHook?.Ref,
  };
};

const functionIds = ['ListPlants', 'Authorizer'] as const;

describe.each(functionIds)('a release of %s', (functionId) => {
  const template = templateOf(stageNamed('prod'));
  const { dependsOn, version, group, groupId, hookId = '' } = releaseOf(template, functionId);

  it('sends a tenth of the requests to the new version for five minutes, and rolls back when an alarm goes off', () => {
    expect(group).toMatchObject({
      Properties: {
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
        AlarmConfiguration: {
          Enabled: true,
          Alarms: ['Release', 'DeniedCallers'].map((id) => ({
            Name: { Ref: idOf(template, 'AWS::CloudWatch::Alarm', `Alarms${id}`) },
          })),
        },
      },
    });
  });

  it('is checked by its own hook, which knows the new version before the alias moves', () => {
    expect(dependsOn).toEqual(expect.arrayContaining([hookId, groupId]));
    expect(template.findResources('AWS::Lambda::Function')[hookId]).toMatchObject({
      Properties: {
        Environment: {
          Variables: {
            TESTED_FUNCTION: { Ref: idOf(template, 'AWS::Lambda::Function', functionId) },
            TESTED_VERSION: version,
          },
        },
      },
    });
    // By whose beginning the runbook finds the function.
    expect(hookId).toMatch(/^PreTraffic/);
  });

  it('has a hook that may invoke all versions of the function, tell its deployment group, and nothing else', () => {
    const policies = propertiesOf(template, 'AWS::IAM::Policy').filter((policy) =>
      JSON.stringify(policy['Roles']).includes(`PreTraffic${functionId}Role`),
    );
    const arn = { 'Fn::GetAtt': [idOf(template, 'AWS::Lambda::Function', functionId), 'Arn'] };
    const application = { Ref: idOf(template, 'AWS::CodeDeploy::Application') };
    expect(policies).toMatchObject([
      {
        PolicyDocument: {
          Statement: [
            { Action: 'lambda:InvokeFunction', Resource: { 'Fn::Join': ['', [arn, ':*']] } },
            {
              Action: 'codedeploy:PutLifecycleEventHookExecutionStatus',
              Resource: { 'Fn::Join': ['', expect.arrayContaining([application, '/', { Ref: groupId }])] },
            },
          ],
        },
      },
    ]);
  });

  it('gives the hook more time than all of its attempts take', async () => {
    vi.stubEnv('TESTED_FUNCTION', 'a').stubEnv('TESTED_VERSION', '1');
    const { bounds } = await import('../../functions/pre-traffic-hook/handler.ts');
    vi.unstubAllEnvs();
    const { Timeout } = z
      .object({ Timeout: z.number() })
      .parse(
        propertiesOf(template, 'AWS::Lambda::Function').find(({ Description: text }) =>
          String(text).startsWith('Checks'),
        ),
      );
    expect(bounds.check + bounds.report).toBeLessThan(Timeout * 1000);
  });
});

describe('an urgent release', () => {
  const normal = templateOf(stageNamed('prod'));
  const urgent = Template.fromStack(stackOf(stageNamed('prod'), { isUrgent: true }));

  it.each(functionIds)('of %s gives it all requests at once, without hook and alarms', (functionId) => {
    const { dependsOn, group, groupId, hookId } = releaseOf(urgent, functionId);
    expect(hookId).toBeUndefined();
    expect(group).toMatchObject({
      Properties: {
        DeploymentConfigName: 'CodeDeployDefault.LambdaAllAtOnce',
        AlarmConfiguration: { Enabled: false },
        AutoRollbackConfiguration: { Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST'] },
      },
    });
    // Otherwise CodeDeploy could still shift by canary.
    expect(dependsOn).toContain(groupId);
  });

  it('changes nothing but the deployment groups, what CodeDeploy may do, and how aliases move', () => {
    const resources = (template: Template): Readonly<Record<string, unknown>> =>
      z.record(z.string(), z.unknown()).parse(template.toJSON()['Resources']);
    const [before, after] = [resources(normal), resources(urgent)];
    const changed = Object.keys({ ...before, ...after }).filter(
      (id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]),
    );
    expect(changed.filter((id) => !/Release|Alias|PreTraffic\w+RoleDefaultPolicy/.test(id))).toEqual([]);
    expect(changed).not.toContainEqual(expect.stringMatching(/CurrentVersion/));
  });
});

describe('a commit that changes no function', () => {
  const versionsOf = (template: Template): readonly string[] =>
    Object.keys(template.findResources('AWS::Lambda::Version'));
  const [one, other] = ['c0ffee1', 'c0ffee2'].map((commit) =>
    Template.fromStack(stackOf(stageNamed('prod'), { commit })),
  );

  it('deploys no version, and is an output of the stack', () => {
    if (one === undefined || other === undefined) throw new Error('Two templates are compared.');
    expect(versionsOf(one)).toHaveLength(2);
    expect(versionsOf(one)).toEqual(versionsOf(other));
    other.hasOutput('Commit', { Value: 'c0ffee2' });
  });
});

describe.each(['local', 'dev'] as const)('a release to %s', (name) => {
  it('is complete at once', () => {
    const template = templateOf(stageNamed(name));
    template.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    expect(idOf(template, 'AWS::Lambda::Function', 'PreTraffic')).toBe('no AWS::Lambda::Function');
  });
});
