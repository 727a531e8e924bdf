import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fetchDeadline } from '../../functions/authorizer/fetch-jwks.ts';
import { answerBeforeTimeout } from '../../functions/list-plants/build-handler.ts';
import { storeBounds } from '../../functions/list-plants/dynamodb/client.ts';
import type { Stage } from '../../infra/stage.ts';
import { stages } from '../../infra/stages.ts';
import { idOf, propertiesOf } from '../support/resources.ts';
import { stackOf, stageNamed } from '../support/synthesized.ts';

const templates = stages.map((stage) => ({
  stage,
  name: stage.name,
  template: Template.fromStack(stackOf(stage)),
}));

/** Without the hashes that change with every source line, and the architecture that is the machine's own. */
const reviewable = (template: Template): string =>
  `${JSON.stringify(template.toJSON(), null, 2)}\n`
    .replaceAll(/[0-9a-f]{64}/g, '<asset>')
    .replaceAll(/(?<=CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '<version>')
    .replaceAll(/"(?:arm64|x86_64)"/g, '"<architecture>"');

describe.each(templates)('the stack of stage $name', ({ stage, template }) => {
  it('is as last reviewed', async () => {
    await expect(reviewable(template)).toMatchFileSnapshot(`snapshots/PlantStore-${stage.name}.json`);
  });

  it('has one route, and the authorizer on it', () => {
    expect(propertiesOf(template, 'AWS::ApiGatewayV2::Route')).toMatchObject([
      {
        RouteKey: 'GET /plants',
        AuthorizationType: 'CUSTOM',
        AuthorizerId: { Ref: idOf(template, 'AWS::ApiGatewayV2::Authorizer') },
      },
    ]);
    expect(propertiesOf(template, 'AWS::ApiGatewayV2::Authorizer')).toMatchObject([
      {
        AuthorizerType: 'REQUEST',
        AuthorizerPayloadFormatVersion: '2.0',
        EnableSimpleResponses: true,
        IdentitySource: ['$request.header.Authorization'],
        AuthorizerResultTtlInSeconds: stage.authorizerCacheSeconds,
      },
    ]);
  });

  it('lets the list function query the one table, each function write its own log, and nothing else', () => {
    expect(propertiesOf(template, 'AWS::IAM::Policy')).toMatchObject([
      {
        Roles: [{ Ref: idOf(template, 'AWS::IAM::Role', 'ListPlants') }],
        PolicyDocument: {
          Statement: [
            {
              Action: 'dynamodb:Query',
              Effect: 'Allow',
              Resource: [{ 'Fn::GetAtt': [idOf(template, 'AWS::DynamoDB::Table'), 'Arn'] }],
            },
          ],
        },
      },
    ]);
    const roles = propertiesOf(template, 'AWS::IAM::Role').filter((role) =>
      JSON.stringify(role['AssumeRolePolicyDocument']).includes('"lambda.amazonaws.com"'),
    );
    expect(roles.map((role) => role['ManagedPolicyArns'])).toEqual([undefined, undefined]);
    expect(roles).toMatchObject(
      ['ListPlantsLog', 'AuthorizerLog'].map((log) => {
        const Resource = { 'Fn::GetAtt': [idOf(template, 'AWS::Logs::LogGroup', log), 'Arn'] };
        const Action = ['logs:CreateLogStream', 'logs:PutLogEvents'];
        return { Policies: [{ PolicyDocument: { Statement: [{ Action, Effect: 'Allow', Resource }] } }] };
      }),
    );
  });

  it('gives all attempts at the store less time than the function, and the function less than the gateway', () => {
    const timeoutOf = (folder: string): number =>
      z
        .object({ Timeout: z.number() })
        .parse(propertiesOf(template, 'AWS::Lambda::Function').find((each) => each['Description'] === folder))
        .Timeout * 1000;
    const list = timeoutOf('Lists the plants the caller has access to');
    const gateway = 30_000;
    expect(
      propertiesOf(template, 'AWS::ApiGatewayV2::Integration').map((each) => each['TimeoutInMillis']),
    ).toEqual([undefined]);
    expect(list).toBeLessThan(gateway);
    const { attempts, requestTimeout, backoff } = storeBounds;
    const store = attempts * requestTimeout + backoff.throttled * (1 + 2);
    expect(store).toBeLessThan(list - answerBeforeTimeout);
    expect(storeBounds.connectionTimeout).toBeLessThan(storeBounds.requestTimeout);
    expect(2 * fetchDeadline).toBeLessThan(timeoutOf('Decides who may call the API'));
  });

  it('runs both functions on Node.js 24 with JSON logs that are not kept forever', () => {
    expect(propertiesOf(template, 'AWS::Lambda::Function')).toHaveLength(2);
    template.allResourcesProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs24.x',
      Architectures: [stage.architecture],
      MemorySize: Match.anyValue(),
      Timeout: Match.anyValue(),
      LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: Match.stringLikeRegexp('Log') } },
    });
    expect(propertiesOf(template, 'AWS::Logs::LogGroup').map((each) => each['RetentionInDays'])).toEqual(
      Array.from({ length: 3 }, () => stage.logRetentionDays),
    );
  });

  it('throttles, and writes neither path nor query string to the access log: a cursor holds a name', () => {
    const [apiStage] = propertiesOf(template, 'AWS::ApiGatewayV2::Stage');
    expect(apiStage).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: {
        ThrottlingRateLimit: stage.throttle.rateLimit,
        ThrottlingBurstLimit: stage.throttle.burstLimit,
      },
    });
    const { Format } = z.object({ Format: z.string() }).parse(apiStage?.['AccessLogSettings']);
    const variables = Object.values(z.record(z.string(), z.string()).parse(JSON.parse(Format)));
    expect(variables).toContain('$context.routeKey');
    expect(
      variables.filter((each) => /path|query|protocol|identity|lambda|claims|error\.message/i.test(each)),
    ).toEqual([]);
  });

  it('puts out where the service and its table are', () => {
    template.hasOutput('BaseUrl', {});
    template.hasOutput('TableName', { Value: { Ref: idOf(template, 'AWS::DynamoDB::Table') } });
  });
});

describe('a stage’s record decides', () => {
  it('which other web origins may call: none unless named', () => {
    expect(
      propertiesOf(Template.fromStack(stackOf(stageNamed('prod'))), 'AWS::ApiGatewayV2::Api'),
    ).toMatchObject([{ ProtocolType: 'HTTP' }]);
    const apis = [[], ['https://plants.example.com']].map(
      (corsOrigins) =>
        propertiesOf(
          Template.fromStack(stackOf({ ...stageNamed('prod'), corsOrigins })),
          'AWS::ApiGatewayV2::Api',
        )[0],
    );
    expect(apis.map((api) => api?.['CorsConfiguration'])).toEqual([
      undefined,
      {
        AllowOrigins: ['https://plants.example.com'],
        AllowMethods: ['GET'],
        AllowHeaders: ['authorization'],
        ExposeHeaders: ['link', 'retry-after'],
        MaxAge: 3600,
      },
    ]);
  });

  it('whether the plants survive the stack', () => {
    Template.fromStack(stackOf(stageNamed('prod'))).hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
    Template.fromStack(stackOf(stageNamed('dev'))).hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Delete',
    });
  });

  it('which tokens the authorizer takes', () => {
    const tokens: Stage['tokens'] = {
      profile: 'cognito',
      issuer: 'https://login.example.com/',
      jwksUri: 'https://login.example.com/keys',
      algorithms: ['RS256'],
      groupsClaim: 'cognito:groups',
      clientIds: ['web', 'app'],
    };
    Template.fromStack(stackOf({ ...stageNamed('prod'), tokens })).hasResourceProperties(
      'AWS::Lambda::Function',
      {
        Environment: {
          Variables: {
            TOKEN_PROFILE: 'cognito',
            CLIENT_IDS: 'web,app',
            GROUPS_CLAIM: 'cognito:groups',
            AUDIENCE: Match.absent(),
          },
        },
      },
    );
  });

  const certificateArn =
    'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';

  it('whether the API has a name of its own: then its base URL, and what the DNS record points at, are put out', () => {
    const plain = Template.fromStack(stackOf(stageNamed('prod')));
    plain.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
    expect(plain.findOutputs('DomainTarget')).toEqual({});
    const named = Template.fromStack(
      stackOf({ ...stageNamed('prod'), domain: { name: 'plants.example.com', certificateArn } }),
    );
    named.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
      DomainName: 'plants.example.com',
      DomainNameConfigurations: [{ CertificateArn: certificateArn, EndpointType: 'REGIONAL' }],
    });
    const domain = idOf(named, 'AWS::ApiGatewayV2::DomainName');
    named.hasResourceProperties('AWS::ApiGatewayV2::ApiMapping', {
      ApiId: { Ref: idOf(named, 'AWS::ApiGatewayV2::Api') },
      DomainName: { Ref: domain },
      Stage: '$default',
    });
    named.hasOutput('BaseUrl', { Value: 'https://plants.example.com' });
    named.hasOutput('DomainTarget', { Value: { 'Fn::GetAtt': [domain, 'RegionalDomainName'] } });
  });

  it('whether nobody can delete the stack by mistake', () => {
    expect(stages.map((stage) => [stage.name, stackOf(stage).terminationProtection])).toEqual([
      ['local', false],
      ['dev', false],
      ['staging', true],
      ['prod', true],
    ]);
  });

  it('whether it brings its own users: dev needs no issuer from elsewhere, and lets nobody sign themselves up', () => {
    const template = Template.fromStack(stackOf(stageNamed('dev')));
    template.hasResource('AWS::Cognito::UserPool', {
      DeletionPolicy: 'Delete',
      Properties: { AdminCreateUserConfig: { AllowAdminCreateUserOnly: true } },
    });
    const pool = idOf(template, 'AWS::Cognito::UserPool');
    const client = { Ref: idOf(template, 'AWS::Cognito::UserPoolClient') };
    template.hasResourceProperties('AWS::Cognito::UserPoolClient', {
      UserPoolId: { Ref: pool },
      ExplicitAuthFlows: ['ALLOW_ADMIN_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
    });
    const issuer = { 'Fn::GetAtt': [pool, 'ProviderURL'] };
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: {
          TOKEN_PROFILE: 'cognito',
          TOKEN_ISSUER: issuer,
          CLIENT_IDS: client,
          JWKS_URI: { 'Fn::Join': ['', [issuer, '/.well-known/jwks.json']] },
        },
      },
    });
    template.hasOutput('UserPoolId', { Value: { Ref: pool } });
    template.hasOutput('UserPoolClientId', { Value: client });
    expect(JSON.stringify(template.toJSON())).not.toContain('example.com');
  });
});
