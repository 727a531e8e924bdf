import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
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

describe.each(['staging', 'prod'] as const)('a release to %s', (name) => {
  const template = templateOf(stageNamed(name));

  it('sends a tenth of the requests to the new version for five minutes, and rolls back when a rollback alarm goes off', () => {
    const rollbackAlarms = [
      'ServerErrors',
      'Latency',
      'AuthorizerFailures',
      'NewVersionDenials',
      'NewVersionErrors',
    ];
    const groups = propertiesOf(template, 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(2);
    for (const group of groups) {
      expect(group).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
        AlarmConfiguration: {
          Enabled: true,
          Alarms: rollbackAlarms.map((id) => ({
            Name: { Ref: idOf(template, 'AWS::CloudWatch::Alarm', `Alarms${id}`) },
          })),
        },
      });
    }
  });

  it('moves each alias with its own deployment group', () => {
    for (const functionId of ['ListPlants', 'Authorizer']) {
      expect(template.toJSON()).toMatchObject({
        Resources: {
          [aliasOf(template, functionId).Ref]: {
            UpdatePolicy: {
              CodeDeployLambdaAliasUpdate: {
                DeploymentGroupName: {
                  Ref: idOf(template, 'AWS::CodeDeploy::DeploymentGroup', functionId),
                },
              },
            },
          },
        },
      });
    }
  });
});

const hooked = z.object({
  DependsOn: z.array(z.string()),
  Properties: z.object({ FunctionVersion: z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }) }),
  UpdatePolicy: z.object({
    CodeDeployLambdaAliasUpdate: z.object({ BeforeAllowTrafficHook: z.object({ Ref: z.string() }) }),
  }),
});

describe.each(
  (['staging', 'prod'] as const).flatMap((stage) =>
    (['ListPlants', 'Authorizer'] as const).map((functionId) => ({ stage, functionId })),
  ),
)('the pre-traffic hook of $functionId in $stage', ({ stage, functionId }) => {
  const template = templateOf(stageNamed(stage));
  const alias = hooked.parse(template.findResources('AWS::Lambda::Alias')[aliasOf(template, functionId).Ref]);
  const hookId = alias.UpdatePolicy.CodeDeployLambdaAliasUpdate.BeforeAllowTrafficHook.Ref;
  const group = idOf(template, 'AWS::CodeDeploy::DeploymentGroup', functionId);
  const version = alias.Properties.FunctionVersion;

  it('gets the version that the alias moves to', () => {
    const hook = template.findResources('AWS::Lambda::Function')[hookId];
    expect(hook).toMatchObject({
      Properties: {
        Environment: {
          Variables: {
            TESTED_FUNCTION: { Ref: idOf(template, 'AWS::Lambda::Function', functionId) },
            TESTED_VERSION: version,
          },
        },
      },
    });
  });

  it('is up to date before the alias moves, and CodeDeploy may invoke it', () => {
    const policy = idOf(template, 'AWS::IAM::Policy', `${functionId}Release`);
    expect(alias.DependsOn).toEqual(expect.arrayContaining([hookId, group, policy]));
    expect(template.findResources('AWS::IAM::Policy')[policy]).toMatchObject({
      Properties: {
        PolicyDocument: {
          Statement: [
            {
              Action: 'lambda:InvokeFunction',
              Resource: [{ 'Fn::GetAtt': [hookId, 'Arn'] }, {}],
            },
          ],
        },
      },
    });
  });

  it('may invoke that version and tell its own deployment group, and nothing else', () => {
    const policies = propertiesOf(template, 'AWS::IAM::Policy').filter((policy) =>
      JSON.stringify(policy['Roles']).includes(`PreTraffic${functionId}Role`),
    );
    const application = idOf(template, 'AWS::CodeDeploy::Application');
    expect(policies).toMatchObject([
      {
        PolicyDocument: {
          Statement: [
            { Action: 'lambda:InvokeFunction', Resource: { Ref: version['Fn::GetAtt'][0] } },
            {
              Action: 'codedeploy:PutLifecycleEventHookExecutionStatus',
              Resource: {
                'Fn::Join': ['', expect.arrayContaining([{ Ref: application }, '/', { Ref: group }])],
              },
            },
          ],
        },
      },
    ]);
  });

  it('has an id that does not begin with the function’s, by which the runbook finds the function', () => {
    expect(hookId).toMatch(/^PreTraffic/);
  });
});

describe.each(['local', 'dev'] as const)('a release to %s', (name) => {
  it('is complete at once', () => {
    const template = templateOf(stageNamed(name));
    template.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    expect(idOf(template, 'AWS::Lambda::Function', 'PreTraffic')).toBe('no AWS::Lambda::Function');
  });
});

describe('a deployment of the same commit under another name', () => {
  const templates = ['commit-rotated-1', 'commit-rotated-2'].map((commit) =>
    Template.fromStack(stackOf(stageNamed('prod'), commit)),
  );

  it.each(['ListPlants', 'Authorizer'])(
    'has a new version of %s, so that it starts new environments',
    (id) => {
      const versions = templates.map((template) => idOf(template, 'AWS::Lambda::Version', id));
      expect(versions[0]).toMatch(/CurrentVersion/);
      expect(versions[1]).not.toBe(versions[0]);
    },
  );
});
