import { Stage as CdkStage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fetchDeadline } from '../../functions/authorizer/fetch-jwks.ts';
import { respondBeforeTimeout } from '../../functions/http/build-handler.ts';
import { storeBounds } from '../../functions/dynamodb/client.ts';
import type { OperationDefinition } from '../../infra/operation-definition.ts';
import { operations } from '../../infra/operations.ts';
import type { Stage } from '../../infra/stage-type.ts';
import { readProjectFile } from '../support/project-files.ts';
import { differences } from '../support/template-differences.ts';
import { propertiesOf } from '../support/template-resources.ts';
import { operationIds, stackOf, stageNamed, stages, templateOf } from '../support/synthesized.ts';

/**
 * A stage of infra/stages.ts without the settings that an owner of the project replaces, such as account,
 * domain and issuer. The tests below set their own.
 */
const stageWithoutOwner = (name: string): Stage => {
  const { logRetentionDays, throttle, release, alarmRecipients, data } = stageNamed(name);
  const issuer = `https://${name}.example.com/`;
  const others = { profile: 'rfc9068', audience: 'a', algorithms: ['RS256'], groupsClaim: 'groups' } as const;
  const tokens = { ...others, issuer, jwksUri: issuer };
  return { name, tokens, logRetentionDays, throttle, release, alarmRecipients, data };
};
const prod = stageWithoutOwner('prod');

/** A template without hashes of sources; that of stage `local` also without this machine's architecture. */
const snapshotText = (stage: Stage, template = templateOf(stage)): string =>
  `${JSON.stringify(template.toJSON(), null, 2)}\n`
    .replaceAll(/[0-9a-f]{64}/g, '<asset>')
    .replaceAll(/(?<=CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '<version>')
    .replaceAll(/"(?:arm64|x86_64)"/g, (name) => (stage.name === 'local' ? '"<architecture>"' : name));

/** The template, in which the stage's name and the hashes derived from the name are replaced. */
const templateWithoutStageName = (stage: Stage): unknown =>
  JSON.parse(
    snapshotText(stage)
      .replaceAll(new RegExp(`(?<=PlantStore-?|Plant Store Service, )${stage.name}`, 'g'), '<stage>')
      .replaceAll(/(?<=BearerAuthorizer)[0-9A-F]{8}Permission[0-9A-F]{8}/g, 'Permission'),
  );

// The snapshots check routes, authorizer, permissions, logs, alarms, releases and outputs, and have the first
// operation alone, because a reviewer learns nothing from 1,500 equal lines for each other operation.
describe('the reviewed template', () => {
  it.each(['local', 'dev', 'prod'] as const)('of stage %s is the synthesized one', async (name) => {
    const stage = stageNamed(name);
    const template = Template.fromStack(stackOf(stage, { definitions: operations.slice(0, 1) }));
    await expect(snapshotText(stage, template)).toMatchFileSnapshot(`snapshots/PlantStore-${name}.json`);
  });

  it('of prod equals that of staging but for names, retention, throttle, issuer and recipients', () => {
    const functionIds = ['Authorizer', ...operationIds];
    const logs = ['Access', ...functionIds, ...functionIds.map((id) => `PreTraffic${id}`)];
    // alarms.test.ts tests what recipients change.
    const staging: Stage = { ...stageWithoutOwner('staging'), alarmRecipients: prod.alarmRecipients };
    expect(
      new Set(Object.keys(differences(templateWithoutStageName(staging), templateWithoutStageName(prod)))),
    ).toEqual(
      new Set([
        '/Outputs/Issuer/Value',
        'Authorizer/Properties/Environment/Variables/JWKS_URI',
        'Authorizer/Properties/Environment/Variables/TOKEN_ISSUER',
        'DefaultStage/Properties/DefaultRouteSettings/ThrottlingBurstLimit',
        'DefaultStage/Properties/DefaultRouteSettings/ThrottlingRateLimit',
        ...logs.map((log) => `${log}Log/Properties/RetentionInDays`),
      ]),
    );
  });
});

const madeUp: readonly OperationDefinition[] = [
  {
    id: 'AddShrub',
    route: 'POST /shrubs',
    folder: 'list-plants',
    description: 'Adds a shrub',
    actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
    request: { headers: { 'idempotency-key': 'any' }, body: '{}' },
    withoutPlants: { statusCode: 400, error: 1007 },
  },
  {
    id: 'FindShrub',
    route: 'GET /shrubs/{name}/parts/{part}',
    folder: 'list-plants',
    description: 'Finds a part of a shrub',
    withoutPlants: { statusCode: 404, error: 1005 },
  },
  {
    // Behind `PreTraffic` in the alphabet.
    id: 'ReturnShrub',
    route: 'POST /shrubs/{name}/return',
    folder: 'list-plants',
    description: 'Returns a shrub',
    withoutPlants: { statusCode: 204 },
  },
  {
    id: 'ChangeShrub',
    route: 'PATCH /shrubs/{name}',
    folder: 'list-plants',
    description: 'Changes a shrub',
    request: { headers: { 'if-match': '"1"' }, body: '{}' },
    exposedHeaders: ['etag', 'link'],
    withoutPlants: { statusCode: 412 },
  },
];

/**
 * The template of prod with this operation alone. Its id and its route are replaced by placeholders, and each
 * hash in a logical id by a number, so that two operations can be compared.
 */
const templateWithoutOperationName = (operation: OperationDefinition): unknown => {
  const { id, route } = operation;
  const template = Template.fromStack(stackOf(prod, { definitions: [operation] }));
  const withoutSigns = (text: string): string => text.replaceAll(/[^a-zA-Z0-9]/g, '');
  // The route is replaced before the id, because a route can contain the id.
  const withoutNames = snapshotText(prod, template)
    .replaceAll(route, '<route>')
    .replaceAll(withoutSigns(route), '<route>')
    .replaceAll(id, '<id>');
  const hash = /[0-9A-F]{8}/g;
  // Hashes are numbered in the order of the logical ids without hashes: CDK sorts by the ids with the name.
  const logicalIds = Object.keys(resourcesSchema.parse(JSON.parse(withoutNames)).Resources);
  const hashes = logicalIds
    .map((logicalId) => [logicalId.replaceAll(hash, ''), logicalId] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)))
    .flatMap(([, logicalId]) => logicalId.match(hash) ?? []);
  const ordinals = new Map([...new Set(hashes)].map((value, index) => [value, String(10_000_000 + index)]));
  return JSON.parse(withoutNames.replaceAll(hash, (value) => ordinals.get(value) ?? value));
};

const resourcesSchema = z.looseObject({ Resources: z.record(z.string(), z.unknown()) });

it.each([...operations.slice(1), ...madeUp])(
  'the operation $id differs from the reviewed one in names, route, actions and checks alone',
  (operation) => {
    const [reviewed = operation] = operations;
    const paths = Object.keys(
      differences(templateWithoutOperationName(reviewed), templateWithoutOperationName(operation)),
    );
    const allowed = [
      /^<id>\/Properties\/Description$/,
      /Permission\/Properties\/SourceArn\//,
      /^<id>RoleDefaultPolicy\/Properties\/PolicyDocument\/Statement\/1\/Action/,
      /^PreTraffic<id>\/Properties\/Environment\/Variables\/CHECKS$/,
    ];
    expect(paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
  },
);

it('a timeout exceeds the waits for the store or issuer, and the list’s is below the gateway’s', () => {
  const functions = z
    .array(z.object({ Description: z.string(), Timeout: z.number() }))
    .parse(propertiesOf(templateOf(prod), 'AWS::Lambda::Function'))
    .map(({ Description, Timeout }): [string, number] => [Description, Timeout * 1000]);
  const timeouts = new Map(functions);
  const list = timeouts.get('Lists the plants the caller has access to');
  expect(list).toBeLessThan(30_000);
  const { attempts, requestTimeout, backoff } = storeBounds;
  // All attempts, with the pauses before the second (1 ×) and the third attempt (2 ×).
  const store = attempts * requestTimeout + backoff.throttled * (1 + 2);
  expect(store + respondBeforeTimeout).toBeLessThan(list ?? 0);
  // After a freeze, the second half of an old fetch, then a new one.
  expect(fetchDeadline / 2 + fetchDeadline).toBeLessThan(timeouts.get('Decides who may call the API') ?? 0);
});

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
const headersOf = ({ request }: OperationDefinition) => Object.keys(request?.headers ?? {});
const certificateArn =
  'arn:aws:acm:eu-central-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';
const authorizer = 'Authorizer/Properties/Environment/Variables';
const list = 'ListPlants/Properties/Environment/Variables';

it.each<[string, Partial<Stage>, Readonly<Record<string, unknown>>]>([
  [
    'corsOrigins lists the web origins that may call the API',
    { corsOrigins: ['https://plants.example.com'] },
    {
      'Api/Properties/CorsConfiguration': {
        AllowOrigins: ['https://plants.example.com'],
        AllowMethods: unique(operations.map(({ route }) => route.replace(/ .*/, ''))).toSorted(),
        AllowHeaders: unique(['authorization', ...operations.flatMap(headersOf)]),
        ExposeHeaders: unique([
          ...['link', 'retry-after', 'apigw-requestid'],
          ...operations.flatMap(({ exposedHeaders }) => exposedHeaders ?? []),
        ]),
        MaxAge: 3600,
      },
    },
  ],
  [
    'tokens of the profile cognito sets the variables of the authorizer',
    {
      tokens: {
        profile: 'cognito',
        issuer: 'https://login.example.com/',
        jwksUri: 'https://login.example.com/keys',
        algorithms: ['RS256'],
        clientIds: ['web', 'app'],
        audience: 'https://plants.example.com',
        requiredScope: 'https://plants.example.com/read',
      },
    },
    {
      [`${authorizer}/TOKEN_PROFILE`]: 'cognito',
      [`${authorizer}/CLIENT_IDS`]: 'web,app',
      [`${authorizer}/GROUPS_CLAIM`]: 'cognito:groups',
      [`${authorizer}/REQUIRED_SCOPE`]: 'https://plants.example.com/read',
      [`${authorizer}/AUDIENCE`]: 'https://plants.example.com',
    },
  ],
  [
    'tokens of the profile cognito without audience removes AUDIENCE',
    {
      tokens: {
        profile: 'cognito',
        issuer: 'https://login.example.com/',
        jwksUri: 'https://login.example.com/keys',
        algorithms: ['RS256'],
        clientIds: ['web'],
      },
    },
    { [`${authorizer}/AUDIENCE`]: undefined },
  ],
  [
    'domain adds the domain, closes the default endpoint, and changes the outputs',
    { domain: { name: 'plants.example.com', certificateArn } },
    {
      Domain: {
        Properties: {
          DomainName: 'plants.example.com',
          DomainNameConfigurations: [
            { CertificateArn: certificateArn, EndpointType: 'REGIONAL', IpAddressType: 'dualstack' },
          ],
        },
      },
      'Api/Properties/DisableExecuteApiEndpoint': true,
      '/Outputs/BaseUrl/Value': 'https://plants.example.com',
      '/Outputs/DomainTarget': {
        Value: { 'Fn::GetAtt': [expect.stringMatching(/^Domain/), 'RegionalDomainName'] },
      },
    },
  ],
  [
    'tableName replaces the stack’s own table by an existing one, such as a restored table',
    { tableName: 'Plants-restored' },
    {
      Plants: undefined,
      '/Outputs/TableName/Value': 'Plants-restored',
      [`${list}/TABLE_NAME`]: 'Plants-restored',
      'ListPlantsRoleDefaultPolicy/Properties/PolicyDocument/Statement/1/Resource/Fn::Join': [
        '',
        expect.arrayContaining([':table/Plants-restored']),
      ],
    },
  ],
  [
    'region is the Region in DynamoDB’s URL, which has the domain of the Region’s AWS partition',
    { region: 'cn-north-1' },
    {
      [`${list}/AWS_ENDPOINT_URL_DYNAMODB/Fn::Join/1/0`]: 'https://dynamodb.cn-north-1.',
      [`${list}/AWS_ENDPOINT_URL_DYNAMODB/Fn::Join/1/1/Ref`]: 'AWS::URLSuffix',
    },
  ],
  [
    'refusedPercent is the percentage from which the alarm Refused counts a minute',
    { refusedPercent: 50 },
    { 'Refused/Properties/Metrics/1/Expression': 'FILL(watched, 0) >= 50' },
  ],
  [
    'architecture is the processor of the functions',
    { architecture: 'x86_64' },
    { 'ListPlants/Properties/Architectures/0': 'x86_64' },
  ],
])('the setting %s', (_, changes, expected) => {
  expect(
    differences(templateWithoutStageName(prod), templateWithoutStageName({ ...prod, ...changes })),
  ).toMatchObject(expected);
});

it('pages of other origins may use the methods and headers of all operations, each named once', () => {
  const template = Template.fromStack(
    stackOf({ ...prod, corsOrigins: ['https://plants.example.com'] }, { definitions: madeUp }),
  );
  expect(propertiesOf(template, 'AWS::ApiGatewayV2::Api')).toMatchObject([
    {
      CorsConfiguration: {
        AllowMethods: ['GET', 'PATCH', 'POST'],
        AllowHeaders: ['authorization', 'idempotency-key', 'if-match'],
        ExposeHeaders: ['link', 'retry-after', 'apigw-requestid', 'etag'],
      },
    },
  ]);
});

/** Account and Region to which a stage is deployed. */
const environmentOf = (stage: Stage) => CdkStage.of(stackOf(stage))?.synth().stacks[0]?.environment.name;

it('a stage with account and region is deployed to them', () => {
  const staging = { ...stageNamed('staging'), account: '111111111111', region: 'eu-central-1' };
  expect(environmentOf(staging)).toBe('aws://111111111111/eu-central-1');
});

it('a stage without account and region is deployed to those of the login', () => {
  expect(environmentOf(stageNamed('dev'))).toBe('aws://unknown-account/unknown-region');
});

it('the stack of a stage with protected data cannot be deleted, and that of a disposable stage can', () => {
  expect(stackOf(stageNamed('staging')).terminationProtection).toBe(true);
  expect(stackOf(stageNamed('dev')).terminationProtection).toBe(false);
});

it.each(stages)(
  'the template of $name is ASCII, because cdk diff shows any other character as ?',
  (stage) => {
    const others = JSON.stringify(templateOf(stage)).match(/.{0,40}[^\x20-\x7e].{0,40}/g) ?? [];
    expect(others).toEqual([]);
  },
);

it.each(stages)('the stack of $name has tags with the service and the stage', (stage) => {
  expect(CdkStage.of(stackOf(stage))?.synth().stacks[0]?.tags).toEqual({
    service: 'plant-store',
    stage: stage.name,
  });
});

it('the table and all logs of a stage with protected data are kept, and protected from deletion', () => {
  const isProtected = { DeletionProtectionEnabled: true };
  const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
  templateOf(prod).allResources('AWS::Logs::LogGroup', { ...kept, Properties: isProtected });
  templateOf(prod).allResources('AWS::DynamoDB::GlobalTable', {
    ...kept,
    Properties: { Replicas: [isProtected] },
  });
});

it.each(['AWS::Logs::LogGroup', 'AWS::DynamoDB::GlobalTable', 'AWS::Cognito::UserPool'])(
  'each %s of a stage with disposable data is deleted with the stack',
  (type) => {
    templateOf(stageNamed('dev')).allResources(type, { DeletionPolicy: 'Delete' });
  },
);

it('an urgent release shifts all requests at once, without hook and alarm, and changes nothing else', () => {
  const urgent = Template.fromStack(stackOf(prod, { isUrgent: true }));
  const changes = ['Authorizer', ...operationIds].flatMap((id) => [
    // The alias keeps its dependency on the deployment group, so that CodeDeploy does not shift by canary.
    [`${id}Aliaslive/DependsOn/${id}ReleaseServiceRoleDefaultPolicy`, undefined],
    [`${id}Aliaslive/DependsOn/PreTraffic${id}`, undefined],
    [`${id}Aliaslive/UpdatePolicy/CodeDeployLambdaAliasUpdate/BeforeAllowTrafficHook`, undefined],
    [`${id}Release/Properties/DeploymentConfigName`, 'CodeDeployDefault.LambdaAllAtOnce'],
    [`${id}Release/Properties/AlarmConfiguration/Enabled`, false],
    [`${id}Release/Properties/AlarmConfiguration/Alarms`, undefined],
    [`${id}Release/Properties/AutoRollbackConfiguration/Events/DEPLOYMENT_STOP_ON_ALARM`, undefined],
    // CodeDeploy may not invoke the hook, and the hook may not report to CodeDeploy.
    [`${id}ReleaseServiceRoleDefaultPolicy`, undefined],
    [`PreTraffic${id}RoleDefaultPolicy/Properties/PolicyDocument/Statement/2`, undefined],
  ]);
  expect(differences(templateOf(prod).toJSON(), urgent.toJSON())).toStrictEqual(Object.fromEntries(changes));
});

it('another commit with the same functions changes only the output Commit', () => {
  const other = Template.fromStack(stackOf(prod, { commit: 'c0ffee' }));
  const { '/Outputs/Commit/Value': commit, ...others } = differences(
    templateOf(prod).toJSON(),
    other.toJSON(),
  );
  expect([commit, others]).toEqual(['c0ffee', {}]);
});

/** The template of prod with this number of operations. */
const templateWith = (count: number): Template => {
  const definitions = Array.from({ length: count }, (_, index): OperationDefinition => {
    const id = `Operation${String(index)}`;
    return {
      id,
      route: `GET /${id}`,
      folder: id,
      description: id,
      withoutPlants: { statusCode: 200, body: '' },
    };
  });
  return Template.fromStack(stackOf(prod, { definitions }));
};

describe('the number of operations that docs/scale.md says fit the stack of prod', () => {
  const most = Number(/(\d+) operations fit/.exec(readProjectFile('docs/scale.md'))?.[1]);

  it('is within the limits of a stack: 500 resources, 200 outputs, a template of 1 MB', () => {
    const template = templateWith(most).toJSON();
    const counted = z.object({ Resources: z.looseObject({}), Outputs: z.looseObject({}) }).parse(template);
    expect(Object.keys(counted.Resources).length).toBeLessThanOrEqual(500);
    expect(Object.keys(counted.Outputs).length).toBeLessThanOrEqual(200);
    // CDK writes templates with an indentation of one space.
    expect(Buffer.byteLength(JSON.stringify(template, undefined, 1))).toBeLessThanOrEqual(1_000_000);
  });

  it('cannot be one higher, because CloudFormation allows 500 resources', () => {
    expect(() => templateWith(most + 1)).toThrow('greater than allowed maximum of 500');
  });
});
