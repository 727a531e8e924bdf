import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { itemOf } from '../../../table/item.ts';
import { forward, startFakeServer } from '../../support/fake-server.ts';
import { unusedUrl } from '../../support/loopback-server.ts';
import { startRefusingProxy } from '../../support/refusing-proxy.ts';
import { plants, testTable } from '../../cli/plants-command.ts';

const aloe = { id: 'a1', name: 'Aloe vera' };
const table = await testTable();
const noStore = unusedUrl();
const noStack =
  '<ErrorResponse><Error><Code>ValidationError</Code>' +
  '<Message>Stack with id PlantStore-test does not exist</Message></Error></ErrorResponse>';
const tableOutput = `<OutputKey>TableName</OutputKey><OutputValue>${table.name}</OutputValue>`;
/** The outputs of CloudFormation's stacks. */
const outputs = new Map([
  ['PlantStore-dev', `<member>${tableOutput}</member>`],
  ['PlantStore-old', ''],
]);
const cloudFormation = await startFakeServer(({ path, body }) => {
  if (path.startsWith('/silent')) return new Promise(() => undefined);
  const stack = new URLSearchParams(body.toString()).get('StackName') ?? '';
  const output = outputs.get(stack);
  const described = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
    <StackName>${stack}</StackName><Outputs>${output ?? ''}</Outputs>
  </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  const [status, text] = output === undefined ? [400, noStack] : [200, described];
  return Promise.resolve({ status, headers: {}, body: Buffer.from(text) });
});
await table.put([itemOf('user#alice', aloe)]);
const other = `${table.name}-other`;
const client = new DynamoDBClient();
await client.send(
  new CreateTableCommand({
    TableName: other,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  }),
);
await client.send(new PutItemCommand({ TableName: other, Item: { pk: { S: 'x' } } }));
const before = await table.content();
const aws = {
  AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
  AWS_EC2_METADATA_DISABLED: 'true',
};
afterAll(cloudFormation.close);
// It takes half a minute, so it runs beside the other tests.
const silent = { ...aws, AWS_ENDPOINT_URL_DYNAMODB: `${cloudFormation.url}/silent` };
const ofSilentStore = plants(['list', '--table', 'x'], { env: silent });

it('uses the table of a deployed stage', async () => {
  const ended = await plants(['list', '--from', 'user:alice', '--stage', 'dev'], { env: aws });
  expect(ended).toEqual({ code: 0, output: `${JSON.stringify(aloe)}\n`, messages: ['1 item listed.'] });
});

describe('says in one sentence what to do about', () => {
  afterEach(async () => {
    expect(await table.content()).toEqual(before);
  });
  const load = (...options: readonly string[]): readonly string[] => {
    const file = table.file('new.csv', 'name\nNew\n');
    return ['import', file, '--to', 'user:alice', ...options];
  };

  it.for<readonly [string, () => readonly string[], RegExp, Readonly<Record<string, string>>?]>([
    [
      'a stage that is not deployed',
      () => load('--stage', 'test'),
      /^Stack with id PlantStore-test does not exist .*your AWS login, Region and endpoint/,
    ],
    [
      'a stack without outputs',
      () => load('--stage', 'old'),
      /PlantStore-old has no output TableName. Deploy it/,
    ],
    [
      'a table that does not exist',
      () => load('--table', 'none'),
      /non-existent table.* the name of the stage or table/,
    ],
    ['a table of other items', () => ['list', '--table', other], /^This is not a table of plants/],
    [
      'a stage and a table',
      () => load('--stage', 'dev', '--table', 'x'),
      /--table.* cannot be used with .*--stage/,
    ],
    [
      'an address of CloudFormation without http',
      () => load('--stage', 'dev'),
      /^AWS_ENDPOINT_URL_CLOUDFORMATION must .*http:\/\/ or https:\/\/.*"localhost:8000"/,
      { AWS_ENDPOINT_URL_CLOUDFORMATION: 'localhost:8000' },
    ],
    [
      'a store that does not respond',
      () => load('--table', 'x'),
      /\(ECONNREFUSED\)\. Check that the store runs/,
      { AWS_ENDPOINT_URL_DYNAMODB: noStore },
    ],
    [
      'an address of something else',
      () => load('--table', 'x'),
      /\(SyntaxError\).* its address/,
      { AWS_ENDPOINT_URL_DYNAMODB: cloudFormation.url },
    ],
    [
      'https for http',
      () => load('--table', 'x'),
      /\(EPROTO\).* its address/,
      { AWS_ENDPOINT_URL_DYNAMODB: cloudFormation.url.replace('http', 'https') },
    ],
    ['no Region', () => load('--table', 'x'), /^Region .* Region/, { AWS_REGION: '' }],
    [
      'no credentials',
      () => load('--stage', 'dev'),
      /^Could not load credentials .*AWS login/,
      { AWS_ACCESS_KEY_ID: '' },
    ],
    ['a principal of another kind', () => ['list', '--from', 'superuser:alice'], /user:NAME or group:NAME/],
    ['everyone in place of a principal', () => ['list', '--from', 'everyone'], /user:NAME or group:NAME/],
    ['two principals', () => ['revoke', 'a1', '--from', 'user:alice', '--from', 'everyone'], /Pass one/],
    ['no principal', () => ['import', '/dev/null'], /'--to <principal>' not specified.* --help/],
    ['no format', () => ['import', '-', '--to', 'user:alice'], /csv, json or ndjson\./],
    ['a format that does not exist', () => load('--format', 'xml'), /csv, json, ndjson/],
  ])('%s', async ([, parameters, message, change = {}]) => {
    const { code, output, messages } = await plants(parameters(), { env: { ...aws, ...change } });
    expect(messages.join(' ')).toMatch(message);
    // Of the parser, the problem and the advice.
    expect(messages.length).toBe(messages[0]?.startsWith('error: ') === true ? 2 : 1);
    expect({ code, output }).toEqual({ code: 1, output: '' });
  });

  it('a defect, whose stack trace it prints', async () => {
    // Only the SDK reads this file.
    const config = table.file('config', '[default]\nendpoint_url = nonsense\n');
    const env = { ...aws, AWS_ENDPOINT_URL_DYNAMODB: '', AWS_CONFIG_FILE: config };
    const { code, messages } = await plants(load('--table', 'x'), { env });
    expect([code, messages.join('\n')]).toEqual([1, expect.stringMatching(/Error[^]*\n +at /)]);
  });
});

describe('HTTPS_PROXY', async () => {
  const proxy = await startRefusingProxy();
  afterAll(proxy.close);

  // As `aws sso login` leaves it.
  const start = 'https://example.awsapps.com/start';
  const config = table.file(
    'sso',
    `[default]\nsso_start_url=${start}\nsso_region=eu-west-1\nsso_account_id=1\nsso_role_name=Operator\n`,
  );
  const home = dirname(config);
  const cache = join('.aws/sso/cache', `${createHash('sha1').update(start).digest('hex')}.json`);
  mkdirSync(dirname(join(home, cache)), { recursive: true });
  const expiresAt = new Date(Date.now() + 3_600_000);
  table.file(
    cache,
    JSON.stringify({ accessToken: 'token', expiresAt, region: 'eu-west-1', startUrl: start }),
  );
  const sso = { HOME: home, AWS_CONFIG_FILE: config, AWS_ACCESS_KEY_ID: '' };

  it.for<readonly [string, readonly string[], Readonly<Record<string, string>>, readonly string[]]>([
    ['DynamoDB', ['--table', 'x'], {}, ['dynamodb.eu-north-1.amazonaws.com:443']],
    ['CloudFormation', ['--stage', 'x'], {}, ['cloudformation.eu-north-1.amazonaws.com:443']],
    ['IAM Identity Center', ['--table', 'x'], sso, ['portal.sso.eu-west-1.amazonaws.com:443']],
  ])('is used for %s', async ([, where, change, asked]) => {
    proxy.requestedAddresses.clear();
    const none = { AWS_ENDPOINT_URL_DYNAMODB: '', AWS_ENDPOINT_URL_CLOUDFORMATION: '', NO_PROXY: '' };
    const env = { ...aws, ...none, AWS_REGION: 'eu-north-1', HTTPS_PROXY: proxy.url, ...change };
    const { code, messages } = await plants(['list', ...where], { env });
    expect([code, messages.length]).toEqual([1, 1]);
    expect([...proxy.requestedAddresses]).toEqual(asked);
  });
});

/** Runs the command line through a proxy. `refuse` returns the error that an operation gets, if any. */
const plantsThroughProxy = async (
  refuse: (operation: string) => string | undefined,
  ...parameters: readonly string[]
) => {
  const server = await startFakeServer((request) => {
    const body = request.body.toString();
    // Only the index cannot be read consistently.
    if (/"Key"|"KeyCondition/.test(body) && !body.includes('IndexName'))
      expect(body).toContain('"ConsistentRead":true');
    const error = refuse(String(request.headers['x-amz-target']).split('.').at(-1) ?? '');
    if (error === undefined) return forward(table.endpoint, request);
    const reply =
      error === unprocessed
        ? { status: 200, body: body.replace('"RequestItems"', '"UnprocessedItems"') }
        : { status: 400, body: `{"__type":"com.amazon#${error}","message":"No."}` };
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    return Promise.resolve({ status: reply.status, headers, body: Buffer.from(reply.body) });
  });
  const env = { AWS_ENDPOINT_URL_DYNAMODB: server.url };
  try {
    return await plants([...parameters, '--table', table.name], { env });
  } finally {
    await server.close();
  }
};
const unprocessed = 'unprocessed';

it('import retries reads and writes while the table throttles, and writes everything once', async () => {
  const rows = Array.from({ length: 2000 }, (_, index) => `Plant ${String(index)}\n`).join('');
  const file = table.file('many.csv', `name\n${rows}`);
  let queries = 0;
  let first: number | undefined;
  const throttle = (operation: string): string | undefined => {
    if (operation === 'Query') return (queries += 1) <= 10 ? 'ThrottlingException' : undefined;
    if (operation !== 'BatchWriteItem') return undefined;
    first ??= performance.now();
    const seconds = (performance.now() - first) / 1000;
    if (seconds > 10) return undefined;
    return seconds < 5 ? 'ProvisionedThroughputExceededException' : unprocessed;
  };
  const { code, messages } = await plantsThroughProxy(throttle, 'import', file, '--to', 'user:throttled');
  const summary = 'user:throttled: 2,000 added, 0 changed, 0 removed, 0 unchanged.';
  expect([code, messages.at(-1)]).toEqual([0, summary]);
  expect(new Set(await table.list('user#throttled')).size).toBe(2000);
});

it('list leaves out an item that only the index still has', async () => {
  const loseItem = (operation: string) => (operation === 'GetItem' ? unprocessed : undefined);
  const { messages } = await plantsThroughProxy(loseItem, 'list', aloe.id);
  expect(messages).toEqual(['Found no plant with the id a1. Run list to see the ids.']);
});

it('import says that the command can be run again when the table refuses a write', async () => {
  const file = table.file('one.csv', 'name\nOne\n');
  const refuse = (operation: string) =>
    operation === 'BatchWriteItem' ? 'AccessDeniedException' : undefined;
  const { code, messages } = await plantsThroughProxy(refuse, 'import', file, '--to', 'user:one');
  expect(code).toBe(1);
  expect(messages.at(-1)).toMatch(/AccessDenied.* run the same command again/);
});

it('list ends with one sentence when the store stays silent', async () => {
  const sentence: unknown = expect.stringMatching(/\(ETIMEDOUT\)\. Check that the store runs/);
  expect(await ofSilentStore).toEqual({ code: 1, output: '', messages: [sentence] });
});
