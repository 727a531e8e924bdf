import { App } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fetchDeadline } from '../../functions/authorizer/jwks.ts';
import { respondBeforeTimeout } from '../../functions/list-plants/build-handler.ts';
import { storeBounds } from '../../functions/list-plants/dynamodb/client.ts';
import { personalStage, type Stage } from '../../infra/stage.ts';
import { stages } from '../../infra/stages.ts';
import { idOf, propertiesOf } from '../support/resources.ts';
import { stackOf, stageNamed, templateOf } from '../support/synthesized.ts';

const templates = stages.map((stage) => ({ stage, name: stage.name, template: templateOf(stage) }));

/** A template without the hashes that change with every source line, and without this machine's architecture. */
const reviewable = (name: Stage['name']): string =>
  `${JSON.stringify(templateOf(stageNamed(name)).toJSON(), null, 2)}\n`
    .replaceAll(/[0-9a-f]{64}/g, '<asset>')
    .replaceAll(/(?<=CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '<version>')
    .replaceAll(/"(?:arm64|x86_64)"/g, '"<architecture>"');

const issuerSchema = z.object({ Variables: z.object({ TOKEN_ISSUER: z.unknown().optional() }) });

const storeSchema = z.object({
  Variables: z.object({ AWS_ENDPOINT_URL_DYNAMODB: z.unknown().optional() }),
});

const objectSchema = z.union([
  z.record(z.string(), z.unknown()),
  z.array(z.unknown()).transform((items) => Object.fromEntries(items.entries())),
]);

/** The paths of the values in which two templates differ. */
const differences = (one: unknown, other: unknown, path: string): readonly string[] => {
  const [parts, otherParts] = [objectSchema.safeParse(one).data, objectSchema.safeParse(other).data];
  if (parts === undefined || otherParts === undefined) return one === other ? [] : [path];
  return [...new Set([...Object.keys(parts), ...Object.keys(otherParts)])].flatMap((key) =>
    differences(parts[key], otherParts[key], `${path}/${key}`),
  );
};

/** Whether these are roles of the releases, which release.test.ts checks. */
const isOfRelease = (roles: unknown): boolean => /PreTraffic|Release/.test(JSON.stringify(roles));

/** The log groups of a stage's functions. A canary has a hook for each function. */
const logsOfFunctions = ({ release }: Stage): readonly string[] => [
  'ListPlantsLog',
  'AuthorizerLog',
  ...(release === 'canary' ? ['PreTrafficListPlantsLog', 'PreTrafficAuthorizerLog'] : []),
];

describe('the reviewed template', () => {
  it.each(['local', 'dev', 'prod'] as const)('of stage %s is the synthesized one', async (name) => {
    await expect(reviewable(name)).toMatchFileSnapshot(`snapshots/PlantStore-${name}.json`);
  });

  it('of prod is that of staging, too, apart from names, log retention, throttling, issuer and e-mail', () => {
    /** With the stage's name replaced, and the hashes that are made from it. */
    const comparable = (name: Stage['name']): unknown =>
      JSON.parse(
        reviewable(name)
          .replaceAll(new RegExp(`(?<=PlantStore-?|Plant Store Service, )${name}`, 'g'), '<stage>')
          .replaceAll(/(?<=BearerAuthorizer)[0-9A-F]{8}Permission[0-9A-F]{8}/g, 'Permission'),
      );
    const paths = differences(comparable('staging'), comparable('prod'), '').map((path) =>
      path.replace('/Resources/', '').replace(/[0-9A-F]{8}/, ''),
    );
    const logs = ['ListPlants', 'Authorizer', 'Access', 'PreTrafficListPlants', 'PreTrafficAuthorizer'];
    expect(paths.toSorted()).toEqual(
      [
        '/Outputs/Issuer/Value',
        'Alarmoncallexamplecom',
        'AlarmsNearThrottle/Properties/Threshold',
        'Authorizer/Properties/Environment/Variables/JWKS_URI',
        'Authorizer/Properties/Environment/Variables/TOKEN_ISSUER',
        'Budget',
        'DefaultStage/Properties/DefaultRouteSettings/ThrottlingBurstLimit',
        'DefaultStage/Properties/DefaultRouteSettings/ThrottlingRateLimit',
        ...logs.map((log) => `${log}Log/Properties/RetentionInDays`),
      ].toSorted(),
    );
  });
});

describe.each(templates)('the stack of stage $name', ({ stage, template }) => {
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

  it('lets the list function query the table without its index, each function write its own log, and nothing else', () => {
    expect(
      propertiesOf(template, 'AWS::IAM::Policy').filter((policy) => !isOfRelease(policy['Roles'])),
    ).toMatchObject([
      {
        Roles: [{ Ref: idOf(template, 'AWS::IAM::Role', 'ListPlants') }],
        PolicyDocument: {
          Statement: [
            {
              Action: 'dynamodb:Query',
              Effect: 'Allow',
              Resource: { 'Fn::GetAtt': [idOf(template, 'AWS::DynamoDB::Table'), 'Arn'] },
            },
          ],
        },
      },
    ]);
    const roles = propertiesOf(template, 'AWS::IAM::Role').filter((role) =>
      JSON.stringify(role['AssumeRolePolicyDocument']).includes('"lambda.amazonaws.com"'),
    );
    expect(roles.filter((role) => role['ManagedPolicyArns'] !== undefined)).toEqual([]);
    expect(roles).toMatchObject(
      logsOfFunctions(stage).map((log) => {
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
    expect(store).toBeLessThan(list - respondBeforeTimeout);
    expect(2 * fetchDeadline).toBeLessThan(timeoutOf('Decides who may call the API'));
  });

  it('runs all functions on Node.js 24 with JSON logs, of level INFO and above, that are not kept forever', () => {
    const logs = logsOfFunctions(stage);
    expect(propertiesOf(template, 'AWS::Lambda::Function')).toHaveLength(logs.length);
    template.allResourcesProperties('AWS::Lambda::Function', {
      Runtime: 'nodejs24.x',
      Architectures: [stage.architecture],
      MemorySize: Match.anyValue(),
      Timeout: Match.anyValue(),
      // Without a level, Lambda's default is INFO: a release is checked by a line of this level.
      LoggingConfig: Match.exact({ LogFormat: 'JSON', LogGroup: { Ref: Match.stringLikeRegexp('Log') } }),
    });
    expect(propertiesOf(template, 'AWS::Logs::LogGroup').map((each) => each['RetentionInDays'])).toEqual(
      [...logs, 'AccessLog'].map(() => stage.logRetentionDays),
    );
  });

  it('throttles, and writes neither path nor query string to the access log, because a cursor holds a name', () => {
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
    expect(variables).toEqual(
      expect.arrayContaining([
        '$context.requestId',
        '$context.routeKey',
        '$context.integration.requestId',
        '$context.integrationErrorMessage',
        '$context.authorizer.error',
        '$context.authorizer.callerId',
      ]),
    );
    expect(
      variables.filter((each) => /path|query|protocol|identity|lambda|claims|error\.message/i.test(each)),
    ).toEqual([]);
  });

  it('has outputs for the base URL, the table’s name, and the issuer that the authorizer accepts', () => {
    template.hasOutput('BaseUrl', {});
    template.hasOutput('TableName', { Value: { Ref: idOf(template, 'AWS::DynamoDB::Table') } });
    const issuers = propertiesOf(template, 'AWS::Lambda::Function').flatMap(
      ({ Environment: environment }) => issuerSchema.parse(environment).Variables.TOKEN_ISSUER ?? [],
    );
    expect(issuers).toHaveLength(1);
    template.hasOutput('Issuer', { Value: issuers[0] });
  });
});

describe('a stage’s record decides', () => {
  it('which other web origins may call: none by default', () => {
    expect(propertiesOf(templateOf(stageNamed('prod')), 'AWS::ApiGatewayV2::Api')).toMatchObject([
      { ProtocolType: 'HTTP' },
    ]);
    const apis = [[], ['https://plants.example.com']].map(
      (corsOrigins) =>
        propertiesOf(templateOf({ ...stageNamed('prod'), corsOrigins }), 'AWS::ApiGatewayV2::Api')[0],
    );
    expect(apis.map((api) => api?.['CorsConfiguration'])).toEqual([
      undefined,
      {
        AllowOrigins: ['https://plants.example.com'],
        AllowMethods: ['GET'],
        AllowHeaders: ['authorization'],
        ExposeHeaders: ['link', 'retry-after', 'apigw-requestid'],
        MaxAge: 3600,
      },
    ]);
  });

  it('whether the plants survive the stack', () => {
    templateOf(stageNamed('prod')).hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
    templateOf(stageNamed('dev')).hasResource('AWS::DynamoDB::Table', {
      DeletionPolicy: 'Delete',
    });
  });

  it('which tokens the authorizer accepts', () => {
    const tokens: Stage['tokens'] = {
      profile: 'cognito',
      issuer: 'https://login.example.com/',
      jwksUri: 'https://login.example.com/keys',
      algorithms: ['RS256'],
      groupsClaim: 'cognito:groups',
      clientIds: ['web', 'app'],
      requiredScope: 'https://plants.example.com/read',
    };
    templateOf({ ...stageNamed('prod'), tokens }).hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: {
          TOKEN_PROFILE: 'cognito',
          CLIENT_IDS: 'web,app',
          GROUPS_CLAIM: 'cognito:groups',
          REQUIRED_SCOPE: 'https://plants.example.com/read',
          AUDIENCE: Match.absent(),
        },
      },
    });
  });

  const certificateArn =
    'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';

  it('whether the API has a custom domain: then the base URL and the DNS record’s target are outputs', () => {
    const plain = templateOf(stageNamed('prod'));
    plain.resourceCountIs('AWS::ApiGatewayV2::DomainName', 0);
    expect(plain.findOutputs('DomainTarget')).toEqual({});
    const named = templateOf({
      ...stageNamed('prod'),
      domain: { name: 'plants.example.com', certificateArn },
    });
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

  it('a wildcard as its domain: the base URL is then the API’s own', () => {
    const domain = { name: '*.example.com', certificateArn };
    const { BaseUrl: wildcard } = templateOf({ ...stageNamed('prod'), domain }).findOutputs('BaseUrl');
    expect(wildcard).toEqual(templateOf(stageNamed('prod')).findOutputs('BaseUrl')['BaseUrl']);
  });

  it('whether it reads an existing table in place of one of its own', () => {
    const tableName = 'Plants-restored';
    const template = templateOf({ ...stageNamed('prod'), tableName });
    template.resourceCountIs('AWS::DynamoDB::Table', 0);
    template.hasOutput('TableName', { Value: tableName });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { TABLE_NAME: tableName } },
    });
    const [policy] = propertiesOf(template, 'AWS::IAM::Policy').filter(({ Roles }) =>
      JSON.stringify(Roles).includes('ListPlantsRole'),
    );
    expect(policy).toMatchObject({
      PolicyDocument: {
        Statement: [
          {
            Action: 'dynamodb:Query',
            Resource: { 'Fn::Join': ['', expect.arrayContaining([`:table/${tableName}`])] },
          },
        ],
      },
    });
    expect(JSON.stringify(propertiesOf(template, 'AWS::CloudWatch::Dashboard'))).toContain(tableName);
  });

  it('where DynamoDB is: in the Region and the partition of the stack, unless it names an endpoint', () => {
    const endpointOf = (stage: Stage): unknown =>
      propertiesOf(templateOf(stage), 'AWS::Lambda::Function')
        .map(({ Environment: environment }) => storeSchema.parse(environment).Variables)
        .flatMap((variables) => variables.AWS_ENDPOINT_URL_DYNAMODB ?? []);
    const inRegion = (region: unknown): unknown => [
      { 'Fn::Join': ['', ['https://dynamodb.', ...[region].flat(), { Ref: 'AWS::URLSuffix' }]] },
    ];
    expect(endpointOf(stageNamed('prod'))).toEqual(inRegion([{ Ref: 'AWS::Region' }, '.']));
    expect(endpointOf({ ...stageNamed('prod'), region: 'cn-north-1' })).toEqual([
      { 'Fn::Join': ['', ['https://dynamodb.cn-north-1.', { Ref: 'AWS::URLSuffix' }]] },
    ]);
    expect(endpointOf({ ...stageNamed('prod'), storeEndpoint: 'https://store.example' })).toEqual([
      'https://store.example',
    ]);
  });

  it('which account and Region its stack is deployed to: by default those of the login', () => {
    const environmentOf = (stage: Stage): string => {
      const { root } = stackOf(stage).node;
      if (!(root instanceof App)) throw new Error('The stack has no app.');
      return root
        .synth()
        .stacks.map(({ environment }) => environment.name)
        .join();
    };
    expect(environmentOf(stageNamed('prod'))).toBe('aws://unknown-account/unknown-region');
    expect(environmentOf({ ...stageNamed('prod'), account: '111111111111', region: 'eu-central-1' })).toBe(
      'aws://111111111111/eu-central-1',
    );
  });

  it('whether the stack is protected from deletion', () => {
    expect(stages.map((stage) => [stage.name, stackOf(stage).terminationProtection])).toEqual([
      ['local', false],
      ['dev', false],
      ['staging', true],
      ['prod', true],
    ]);
  });

  it('whether it has its own user pool: dev needs no other issuer, and does not allow sign-up', () => {
    const template = templateOf(stageNamed('dev'));
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

describe('a personal stage', () => {
  it('has nothing that outlives its stack, that another stage can have only once, or that costs money by the month', () => {
    const template = templateOf(personalStage(stageNamed('dev'), 'dev-anna'));
    const resources = z
      .record(z.string(), z.object({ Type: z.string(), DeletionPolicy: z.string().optional() }))
      .parse(template.toJSON()['Resources']);
    expect(Object.values(resources).map((each) => each.DeletionPolicy)).not.toContain('Retain');
    const types = Object.values(resources).map(({ Type }) => Type);
    expect(types).toContain('AWS::Cognito::UserPool');
    expect(types.filter((type) => /CloudWatch|SNS|DomainName|Budgets/.test(type))).toEqual([]);
    expect(JSON.stringify(resources)).not.toMatch(
      /"(?:TableName|FunctionName|LogGroupName|RoleName|UserPoolName)":"/,
    );
  });
});
