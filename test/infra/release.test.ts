import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { stages } from '../../infra/stages.ts';
import { idOf, propertiesOf } from '../support/resources.ts';
import { stageNamed, templateOf } from '../support/synthesized.ts';

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
      'RetryableErrors',
      'Latency',
      'AuthorizerFailures',
      'NewVersionDenials',
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

describe.each(['local', 'dev'] as const)('a release to %s', (name) => {
  it('is complete at once', () => {
    templateOf(stageNamed(name)).resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
  });
});
