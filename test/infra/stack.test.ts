import { App } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fetchDeadline } from '../../functions/authorizer/jwks.ts';
import { respondBeforeTimeout } from '../../functions/http/build-handler.ts';
import { storeBounds } from '../../functions/plant-store/dynamodb-client.ts';
import { personalStage, type Stage } from '../../infra/stage.ts';
import { stages } from '../../infra/stages.ts';
import { differences, idOf, propertiesOf } from '../support/resources.ts';
import { operationIds, stackOf, stageNamed, templateOf } from '../support/synthesized.ts';

const prod = stageNamed('prod');

/** A template without the hashes of sources and without this machine's architecture. */
const reviewable = (stage: Stage): string =>
  `${JSON.stringify(templateOf(stage).toJSON(), null, 2)}\n`
    .replaceAll(/[0-9a-f]{64}/g, '<asset>')
    .replaceAll(/(?<=CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '<version>')
    .replaceAll(/"(?:arm64|x86_64)"/g, '"<architecture>"');

/** The template with the stage's name replaced, and the hashes that are made from it. */
const comparable = (stage: Stage): unknown =>
  JSON.parse(
    reviewable(stage)
      .replaceAll(new RegExp(`(?<=PlantStore-?|Plant Store Service, )${stage.name}`, 'g'), '<stage>')
      .replaceAll(/(?<=BearerAuthorizer)[0-9A-F]{8}Permission[0-9A-F]{8}/g, 'Permission'),
  );

/** Whether these are roles of the releases, which release.test.ts checks. */
const isOfRelease = (roles: unknown): boolean => /PreTraffic|Release/.test(JSON.stringify(roles));

/** All functions of a stage, in alphabetical order. A canary has a hook for each. */
const allFunctionsOf = ({ release }: Stage): readonly string[] => {
  const ids = ['Authorizer', ...operationIds];
  return [...ids, ...(release === 'canary' ? ids.map((id) => `PreTraffic${id}`) : [])].toSorted();
};
const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

// The snapshots check the rest: route, authorizer, permissions, aliases, runtime, logs, dashboard, outputs.
describe('the reviewed template', () => {
  it.each(['local', 'dev', 'prod'] as const)('of stage %s is the synthesized one', async (name) => {
    await expect(reviewable(stageNamed(name))).toMatchFileSnapshot(`snapshots/PlantStore-${name}.json`);
  });

  it('of prod equals that of staging but for names, retention, throttling, issuer and recipients', () => {
    const logs = ['Access', ...allFunctionsOf(prod)];
    // alarms.test.ts tests what recipients change.
    const staging: Stage = { ...stageNamed('staging'), alarmRecipients: prod.alarmRecipients };
    expect(Object.keys(differences(comparable(staging), comparable(prod))).toSorted()).toEqual(
      [
        '/Outputs/Issuer/Value',
        'AlarmsNearThrottle/Properties/Threshold',
        'Authorizer/Properties/Environment/Variables/JWKS_URI',
        'Authorizer/Properties/Environment/Variables/TOKEN_ISSUER',
        'DefaultStage/Properties/DefaultRouteSettings/ThrottlingBurstLimit',
        'DefaultStage/Properties/DefaultRouteSettings/ThrottlingRateLimit',
        ...logs.map((log) => `${log}Log/Properties/RetentionInDays`),
      ].toSorted(),
    );
  });
});

describe.each(stages.map((stage) => ({ stage, name: stage.name, template: templateOf(stage) })))(
  'the stack of stage $name',
  ({ stage, template }) => {
    it('lets operations only query the table, not its index, and functions only write their own log', () => {
      const policies = propertiesOf(template, 'AWS::IAM::Policy');
      const query = { Action: 'dynamodb:Query', Effect: 'Allow' };
      const policyOf = (id: string, statement: object): object => ({
        Roles: [{ Ref: idOf(template, 'AWS::IAM::Role', id) }],
        PolicyDocument: { Statement: [statement] },
      });
      const own = policies.filter((policy) => !isOfRelease(policy['Roles']));
      expect(own).toMatchObject(operationIds.map((id) => policyOf(id, query)));
      const Resource = { 'Fn::GetAtt': [idOf(template, 'AWS::DynamoDB::Table'), 'Arn'] };
      expect(own.filter(({ Roles }) => JSON.stringify(Roles).includes('ListPlants'))).toMatchObject([
        policyOf('ListPlants', { ...query, Resource }),
      ]);
      const roles = propertiesOf(template, 'AWS::IAM::Role').filter((role) =>
        JSON.stringify(role['AssumeRolePolicyDocument']).includes('"lambda.amazonaws.com"'),
      );
      expect(roles.filter((role) => role['ManagedPolicyArns'] !== undefined)).toEqual([]);
      expect(roles.map(({ Policies }) => Policies).toSorted(byText)).toMatchObject(
        allFunctionsOf(stage).map((id) => {
          const Resource = { 'Fn::GetAtt': [idOf(template, 'AWS::Logs::LogGroup', `${id}Log`), 'Arn'] };
          const Action = ['logs:CreateLogStream', 'logs:PutLogEvents'];
          return [{ PolicyDocument: { Statement: [{ Action, Effect: 'Allow', Resource }] } }];
        }),
      );
    });

    it('writes neither path nor query string to the access log, because a cursor holds a name', () => {
      const [apiStage] = propertiesOf(template, 'AWS::ApiGatewayV2::Stage');
      const { Format } = z.object({ Format: z.string() }).parse(apiStage?.['AccessLogSettings']);
      expect(Format).toContain('$context.authorizer.callerId');
      expect(Format).not.toMatch(
        /\$context\.[\w.]*(?:path|query|protocol|identity|lambda|claims|error\.message)/i,
      );
    });
  },
);

it('the timeouts allow all attempts at the store or issuer, and the list’s is below the gateway’s', () => {
  const functions = z
    .array(z.object({ Description: z.string(), Timeout: z.number() }))
    .parse(propertiesOf(templateOf(prod), 'AWS::Lambda::Function'))
    .map(({ Description, Timeout }): [string, number] => [Description, Timeout * 1000]);
  const timeouts = new Map(functions);
  const list = timeouts.get('Lists the plants the caller has access to');
  expect(list).toBeLessThan(30_000);
  const { attempts, requestTimeout, backoff } = storeBounds;
  const store = attempts * requestTimeout + backoff.throttled * (1 + 2);
  expect(store + respondBeforeTimeout).toBeLessThan(list ?? 0);
  expect(2 * fetchDeadline).toBeLessThan(timeouts.get('Decides who may call the API') ?? 0);
});

const certificateArn =
  'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';

describe('a stage’s record', () => {
  const changesOf = (changes: Partial<Stage>) =>
    differences(comparable(prod), comparable({ ...prod, ...changes }));
  const authorizer = 'Authorizer/Properties/Environment/Variables';
  const list = 'ListPlants/Properties/Environment/Variables';

  it.each<[string, Partial<Stage>, Readonly<Record<string, unknown>>]>([
    [
      'decides which other web origins may call: none by default',
      { corsOrigins: ['https://plants.example.com'] },
      {
        'Api/Properties/CorsConfiguration': {
          AllowOrigins: ['https://plants.example.com'],
          AllowMethods: ['GET'],
          AllowHeaders: ['authorization'],
          ExposeHeaders: ['link', 'retry-after', 'apigw-requestid'],
          MaxAge: 3600,
        },
      },
    ],
    [
      'decides whether the plants survive the stack',
      { data: 'disposable' },
      {
        'Plants/DeletionPolicy': 'Delete',
        'Plants/Properties/DeletionProtectionEnabled': false,
        'Plants/Properties/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled': false,
      },
    ],
    [
      'decides which tokens the authorizer accepts',
      {
        tokens: {
          profile: 'cognito',
          issuer: 'https://login.example.com/',
          jwksUri: 'https://login.example.com/keys',
          algorithms: ['RS256'],
          groupsClaim: 'cognito:groups',
          clientIds: ['web', 'app'],
          requiredScope: 'https://plants.example.com/read',
        },
      },
      {
        [`${authorizer}/TOKEN_PROFILE`]: 'cognito',
        [`${authorizer}/CLIENT_IDS`]: 'web,app',
        [`${authorizer}/GROUPS_CLAIM`]: 'cognito:groups',
        [`${authorizer}/REQUIRED_SCOPE`]: 'https://plants.example.com/read',
        [`${authorizer}/AUDIENCE`]: undefined,
      },
    ],
    [
      'decides whether there is a custom domain: then base URL and the DNS record’s target are outputs',
      { domain: { name: 'plants.example.com', certificateArn } },
      {
        Domain: {
          Properties: {
            DomainName: 'plants.example.com',
            DomainNameConfigurations: [{ CertificateArn: certificateArn, EndpointType: 'REGIONAL' }],
          },
        },
        '/Outputs/BaseUrl/Value': 'https://plants.example.com',
        '/Outputs/DomainTarget': {
          Value: { 'Fn::GetAtt': [expect.stringMatching(/^Domain/), 'RegionalDomainName'] },
        },
      },
    ],
    [
      'decides how much memory a function has, in place of the stack’s size',
      { memoryMb: { ListPlants: 2048 } },
      { 'ListPlants/Properties/MemorySize': 2048 },
    ],
    [
      'decides whether the stack has a table of its own or reads an existing one',
      { tableName: 'Plants-restored' },
      {
        Plants: undefined,
        '/Outputs/TableName/Value': 'Plants-restored',
        [`${list}/TABLE_NAME`]: 'Plants-restored',
        'ListPlantsRoleDefaultPolicy/Properties/PolicyDocument/Statement/0/Resource/Fn::Join': [
          '',
          expect.arrayContaining([':table/Plants-restored']),
        ],
      },
    ],
    [
      'decides where DynamoDB is: in its Region and the partition of AWS, such as that of China',
      { region: 'cn-north-1' },
      {
        [`${list}/AWS_ENDPOINT_URL_DYNAMODB/Fn::Join/1/0`]: 'https://dynamodb.cn-north-1.',
        [`${list}/AWS_ENDPOINT_URL_DYNAMODB/Fn::Join/1/1/Ref`]: 'AWS::URLSuffix',
      },
    ],
    [
      'decides where DynamoDB is: at its endpoint, if it has one',
      { storeEndpoint: 'https://store.example' },
      { [`${list}/AWS_ENDPOINT_URL_DYNAMODB`]: 'https://store.example' },
    ],
  ])('%s', (_, changes, expected) => {
    expect(changesOf(changes)).toMatchObject(expected);
  });

  it('is refused with a memory size of a function that the stack does not have', () => {
    expect(() => stackOf({ ...prod, memoryMb: { ListPlantz: 512 } })).toThrow(
      /^Stage "prod": memoryMb\.ListPlantz: must be .*infra\/stages\.ts\.$/,
    );
  });

  it('does not change the base URL when its domain is a wildcard', () => {
    const changes = changesOf({ domain: { name: '*.example.com', certificateArn } });
    expect(Object.keys(changes).filter((path) => path.includes('BaseUrl'))).toEqual([]);
  });

  it('decides account and Region, by default the login’s, and whether the stack can be deleted', () => {
    const deployed = (stage: Stage): unknown => {
      const { node, terminationProtection } = stackOf(stage);
      if (!(node.root instanceof App)) throw new Error('The stack has no app.');
      const [artifact] = node.root.synth().stacks;
      return [stage.name, artifact?.environment.name, terminationProtection];
    };
    const ofLogin = 'aws://unknown-account/unknown-region';
    expect(stages.map(deployed)).toEqual([
      ['local', ofLogin, false],
      ['dev', ofLogin, false],
      ['staging', ofLogin, true],
      ['prod', ofLogin, true],
    ]);
    const account = { account: '111111111111', region: 'eu-central-1' };
    expect(deployed({ ...prod, ...account })).toEqual(['prod', 'aws://111111111111/eu-central-1', true]);
  });
});

describe('a personal stage', () => {
  it('has nothing that outlives its stack, can exist only once, or is charged by the month', () => {
    const template = templateOf(personalStage(stageNamed('dev'), 'dev-anna'));
    const resources = z
      .record(z.string(), z.object({ Type: z.string(), DeletionPolicy: z.string().optional() }))
      .parse(template.toJSON()['Resources']);
    expect(Object.values(resources).map((each) => each.DeletionPolicy)).not.toContain('Retain');
    const types = Object.values(resources).map(({ Type }) => Type);
    expect(types).toContain('AWS::Cognito::UserPool');
    expect(types.filter((type) => /CloudWatch|SNS|DomainName|Budgets/.test(type))).toEqual([]);
    // The access log's name is made unique by the stack's id.
    expect(JSON.stringify(template.toJSON()['Resources'])).not.toMatch(
      /"(?:TableName|FunctionName|LogGroupName|RoleName|UserPoolName)":"/,
    );
  });
});
