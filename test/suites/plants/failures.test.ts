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
import { plantWith } from '../../support/table/field-samples.ts';

const aloe = plantWith({ id: 'a1', name: 'Aloe vera' });
const table = await testTable();
const urlWithoutServer = unusedUrl();
/** The error of CloudFormation for a stack that does not exist. */
const stackNotFound =
  '<ErrorResponse><Error><Code>ValidationError</Code>' +
  '<Message>Stack with id PlantStore-test does not exist</Message></Error></ErrorResponse>';
const tableOutput = `<OutputKey>TableName</OutputKey><OutputValue>${table.name}</OutputValue>`;
/** The stacks of the fake CloudFormation, with their outputs. */
const outputsOfStacks = new Map([
  ['PlantStore-dev', `<member>${tableOutput}</member>`],
  ['PlantStore-old', ''],
]);
/** A fake CloudFormation. Below `/silent`, the server never responds. */
const cloudFormation = await startFakeServer(({ path, body }) => {
  if (path.startsWith('/silent')) return new Promise(() => undefined);
  const stack = new URLSearchParams(body.toString()).get('StackName') ?? '';
  const outputs = outputsOfStacks.get(stack);
  const description = `<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
    <StackName>${stack}</StackName><Outputs>${outputs ?? ''}</Outputs>
  </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  const [status, text] = outputs === undefined ? [400, stackNotFound] : [200, description];
  return Promise.resolve({ status, headers: {}, body: Buffer.from(text) });
});
await table.put([itemOf('user#alice', aloe)]);
/** The name of a table whose items are no plants. */
const otherTable = `${table.name}-other`;
const client = new DynamoDBClient();
await client.send(
  new CreateTableCommand({
    TableName: otherTable,
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  }),
);
await client.send(new PutItemCommand({ TableName: otherTable, Item: { pk: { S: 'x' } } }));
const contentBefore = await table.content();
/** Environment variables for the fake CloudFormation. */
const aws = {
  AWS_ENDPOINT_URL_CLOUDFORMATION: cloudFormation.url,
  AWS_EC2_METADATA_DISABLED: 'true',
};
afterAll(cloudFormation.close);
const withSilentStore = { ...aws, AWS_ENDPOINT_URL_DYNAMODB: `${cloudFormation.url}/silent` };
// With a store that does not respond, `list` ends only after half a minute. So the command is started here,
// and the last test awaits it.
const listOfSilentStore = plants(['list', '--table', 'x'], { env: withSilentStore });

it('list --stage lists the plants of the table in the output of the stage’s stack', async () => {
  const result = await plants(['list', '--from', 'user:alice', '--stage', 'dev'], { env: aws });
  expect(result).toEqual({ code: 0, output: `${JSON.stringify(aloe)}\n`, messages: ['1 item listed.'] });
});

/** The parameters that import a valid file. */
const importFile = (...options: readonly string[]): readonly string[] => {
  const file = table.file('new.csv', 'name\nNew\n');
  return ['import', file, '--to', 'user:alice', ...options];
};

describe('the command line, without changing the table, says what to do about', () => {
  afterEach(async () => {
    expect(await table.content()).toEqual(contentBefore);
  });

  /** Runs the command line, and expects that it fails and lists nothing. @returns its messages */
  const messagesOfFailure = async (
    parameters: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<readonly string[]> => {
    const { code, output, messages } = await plants(parameters, { env: { ...aws, ...variables } });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    return messages;
  };

  it.for<
    readonly [
      problem: string,
      parameters: () => readonly string[],
      message: RegExp,
      variables?: Readonly<Record<string, string>>,
    ]
  >([
    [
      'a stage that is not deployed',
      () => importFile('--stage', 'test'),
      /^Stack with id PlantStore-test does not exist .*your AWS login, Region and endpoint/,
    ],
    [
      'a stack without outputs',
      () => importFile('--stage', 'old'),
      /PlantStore-old has no output TableName. Deploy it/,
    ],
    [
      'a table that does not exist',
      () => importFile('--table', 'none'),
      /non-existent table.* the name of the stage or table/,
    ],
    ['a table without plants', () => ['list', '--table', otherTable], /^This is not a table of plants/],
    [
      'an address of CloudFormation without a scheme',
      () => importFile('--stage', 'dev'),
      /^AWS_ENDPOINT_URL_CLOUDFORMATION must .*http:\/\/ or https:\/\/.*"localhost:8000"/,
      { AWS_ENDPOINT_URL_CLOUDFORMATION: 'localhost:8000' },
    ],
    [
      'a store that is not running',
      () => importFile('--table', 'x'),
      /\(ECONNREFUSED\)\. Check that the store runs/,
      { AWS_ENDPOINT_URL_DYNAMODB: urlWithoutServer },
    ],
    [
      'an endpoint that is not DynamoDB',
      () => importFile('--table', 'x'),
      /\(SyntaxError\).* its address/,
      { AWS_ENDPOINT_URL_DYNAMODB: cloudFormation.url },
    ],
    [
      'an https endpoint that speaks http',
      () => importFile('--table', 'x'),
      /\(EPROTO\).* its address/,
      { AWS_ENDPOINT_URL_DYNAMODB: cloudFormation.url.replace('http', 'https') },
    ],
    ['no Region', () => importFile('--table', 'x'), /^Region .* Region/, { AWS_REGION: '' }],
    [
      'no credentials',
      () => importFile('--stage', 'dev'),
      /^Could not load credentials .*AWS login/,
      { AWS_ACCESS_KEY_ID: '' },
    ],
    ['two principals', () => ['revoke', 'a1', '--from', 'user:alice', '--from', 'everyone'], /Pass one/],
    ['no format', () => ['import', '-', '--to', 'user:alice'], /csv, json or ndjson\./],
  ])('%s, in one line', async ([, parameters, message, variables]) => {
    expect(await messagesOfFailure(parameters(), variables)).toEqual([expect.stringMatching(message)]);
  });

  it.for<readonly [problem: string, parameters: () => readonly string[], message: RegExp]>([
    [
      'a stage and a table',
      () => importFile('--stage', 'dev', '--table', 'x'),
      /--table.* cannot be used with .*--stage/,
    ],
    ['a principal of another kind', () => ['list', '--from', 'superuser:alice'], /user:NAME or group:NAME/],
    ['everyone in place of a principal', () => ['list', '--from', 'everyone'], /user:NAME or group:NAME/],
    ['no principal', () => ['import', '/dev/null'], /'--to <principal>' not specified.* --help/],
    ['a format that does not exist', () => importFile('--format', 'xml'), /csv, json, ndjson/],
  ])('%s, in two lines with the problem and the advice', async ([, parameters, message]) => {
    const messages = await messagesOfFailure(parameters());
    expect(messages).toHaveLength(2);
    expect(messages.join(' ')).toMatch(message);
  });
});

it('the command line prints the stack trace of an unexpected error', async () => {
  // An invalid endpoint in the configuration file of AWS, which only the SDK reads.
  const config = table.file('config', '[default]\nendpoint_url = nonsense\n');
  const env = { ...aws, AWS_ENDPOINT_URL_DYNAMODB: '', AWS_CONFIG_FILE: config };
  const { code, messages } = await plants(importFile('--table', 'x'), { env });
  expect([code, messages.join('\n')]).toEqual([1, expect.stringMatching(/Error[^]*\n +at /)]);
});

describe('the command line with HTTPS_PROXY', async () => {
  const proxy = await startRefusingProxy();
  afterAll(proxy.close);

  // The configuration and the login cache of `aws sso login`.
  const startUrl = 'https://example.awsapps.com/start';
  const config = table.file(
    'sso',
    `[default]\nsso_start_url=${startUrl}\nsso_region=eu-west-1\nsso_account_id=1\nsso_role_name=Operator\n`,
  );
  const home = dirname(config);
  const cache = join('.aws/sso/cache', `${createHash('sha1').update(startUrl).digest('hex')}.json`);
  mkdirSync(dirname(join(home, cache)), { recursive: true });
  const expiresAt = new Date(Date.now() + 3_600_000);
  table.file(cache, JSON.stringify({ accessToken: 'token', expiresAt, region: 'eu-west-1', startUrl }));
  const sso = { HOME: home, AWS_CONFIG_FILE: config, AWS_ACCESS_KEY_ID: '' };

  it.for<
    readonly [
      server: string,
      options: readonly string[],
      variables: Readonly<Record<string, string>>,
      addresses: readonly string[],
    ]
  >([
    ['DynamoDB', ['--table', 'x'], {}, ['dynamodb.eu-north-1.amazonaws.com:443']],
    ['CloudFormation', ['--stage', 'x'], {}, ['cloudformation.eu-north-1.amazonaws.com:443']],
    ['IAM Identity Center', ['--table', 'x'], sso, ['portal.sso.eu-west-1.amazonaws.com:443']],
  ])('sends requests to %s through the proxy', async ([, options, variables, addresses]) => {
    proxy.requestedAddresses.clear();
    const noEndpoints = { AWS_ENDPOINT_URL_DYNAMODB: '', AWS_ENDPOINT_URL_CLOUDFORMATION: '', NO_PROXY: '' };
    const env = { ...aws, ...noEndpoints, AWS_REGION: 'eu-north-1', HTTPS_PROXY: proxy.url, ...variables };
    const { code, messages } = await plants(['list', ...options], { env });
    expect([code, messages.length]).toEqual([1, 1]);
    expect([...proxy.requestedAddresses]).toEqual(addresses);
  });
});

/** A response of DynamoDB. */
interface StoreResponse {
  readonly status: number;
  readonly body: string;
}

/** The response of DynamoDB with an error. */
const errorResponse = (error: string): StoreResponse => ({
  status: 400,
  body: `{"__type":"com.amazon#${error}","message":"No."}`,
});

/** The response to a BatchWriteItem of which no item was written. */
const unprocessedItems = (requestBody: string): StoreResponse => ({
  status: 200,
  body: requestBody.replace('"RequestItems"', '"UnprocessedItems"'),
});

/** The response to a GetItem for an item that does not exist. */
const noItem: StoreResponse = { status: 200, body: '{}' };

/**
 * Runs the command line with a proxy in front of the store.
 * @param respond returns the response to an operation in place of the store's; undefined: the store responds
 */
const plantsThroughProxy = async (
  respond: (operation: string, requestBody: string) => StoreResponse | undefined,
  ...parameters: readonly string[]
) => {
  const server = await startFakeServer((request) => {
    const requestBody = request.body.toString();
    // Every read is consistent, except reads of the index, for which DynamoDB has no consistent reads.
    if (/"Key"|"KeyCondition/.test(requestBody) && !requestBody.includes('IndexName'))
      expect(requestBody).toContain('"ConsistentRead":true');
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const response = respond(operation, requestBody);
    if (response === undefined) return forward(table.endpoint, request);
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    return Promise.resolve({ status: response.status, headers, body: Buffer.from(response.body) });
  });
  const env = { AWS_ENDPOINT_URL_DYNAMODB: server.url };
  try {
    return await plants([...parameters, '--table', table.name], { env });
  } finally {
    await server.close();
  }
};

it('import retries reads and writes while the table throttles, and loads every row', async () => {
  const rows = Array.from({ length: 2000 }, (_, index) => `Plant ${String(index)}\n`).join('');
  const file = table.file('many.csv', `name\n${rows}`);
  let queries = 0;
  let firstWrite: number | undefined;
  /**
   * Throttles ten queries, and all writes for ten seconds: five with an error and five with unprocessed
   * items.
   */
  const throttle = (operation: string, requestBody: string): StoreResponse | undefined => {
    if (operation === 'Query') {
      queries += 1;
      return queries <= 10 ? errorResponse('ThrottlingException') : undefined;
    }
    if (operation !== 'BatchWriteItem') return undefined;
    firstWrite ??= performance.now();
    const seconds = (performance.now() - firstWrite) / 1000;
    if (seconds > 10) return undefined;
    return seconds < 5
      ? errorResponse('ProvisionedThroughputExceededException')
      : unprocessedItems(requestBody);
  };
  const { code, messages } = await plantsThroughProxy(throttle, 'import', file, '--to', 'user:throttled');
  const summary = 'user:throttled: 2,000 added, 0 changed, 0 removed, 0 unchanged.';
  expect([code, messages.at(-1)]).toEqual([0, summary]);
  expect(new Set(await table.list('user#throttled')).size).toBe(2000);
});

it('list leaves out an item that is in the index and not in the table', async () => {
  const withoutItem = (operation: string) => (operation === 'GetItem' ? noItem : undefined);
  const { messages } = await plantsThroughProxy(withoutItem, 'list', aloe.id);
  expect(messages).toEqual(['Found no plant with the id a1. Run list to see the ids.']);
});

it('import says to run the command again when the table refuses a write', async () => {
  const file = table.file('one.csv', 'name\nOne\n');
  const refuse = (operation: string) =>
    operation === 'BatchWriteItem' ? errorResponse('AccessDeniedException') : undefined;
  const { code, messages } = await plantsThroughProxy(refuse, 'import', file, '--to', 'user:one');
  expect(code).toBe(1);
  expect(messages.at(-1)).toMatch(/AccessDenied.* run the same command again/);
});

it('list ends with one sentence when the store does not respond', async () => {
  const sentence: unknown = expect.stringMatching(/\(ETIMEDOUT\)\. Check that the store runs/);
  expect(await listOfSilentStore).toEqual({ code: 1, output: '', messages: [sentence] });
});
