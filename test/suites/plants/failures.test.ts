import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { itemOf } from '../../../table/item.ts';
import { forward, openLink } from '../../support/link.ts';
import { startServer, stopServer, unusedUrl } from '../../support/loopback-server.ts';
import { plants, testTable } from '../../support/service/plants-command.ts';

const aloe = { id: 'a1', name: 'Aloe vera' };
const noFile = '/dev/null';
const table = await testTable();
const noStack =
  '<ErrorResponse><Error><Code>ValidationError</Code>' +
  '<Message>Stack does not exist</Message></Error></ErrorResponse>';
/** CloudFormation with the stacks PlantStore-dev and PlantStore-old, which has no outputs. */
const cloudFormation = createServer((request, response) => {
  void text(request).then((body) => {
    const stack = new URLSearchParams(body).get('StackName') ?? '';
    const value = `<OutputValue>${table.name}</OutputValue>`;
    const output = `<member><OutputKey>TableName</OutputKey>${value}</member>`;
    response.setHeader('content-type', 'text/xml');
    if (stack === 'PlantStore-dev' || stack === 'PlantStore-old')
      response.end(`<DescribeStacksResponse><DescribeStacksResult>
        <Stacks><member>
          <StackName>${stack}</StackName><Outputs>${stack === 'PlantStore-dev' ? output : ''}</Outputs>
        </member></Stacks>
      </DescribeStacksResult></DescribeStacksResponse>`);
    else response.writeHead(400).end(noStack);
  });
});
await table.put([itemOf('user#alice', aloe)]);
await new DynamoDBClient().send(
  new CreateTableCommand({
    TableName: `${table.name}-other`,
    KeySchema: [{ AttributeName: 'principal', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'principal', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  }),
);
const before = await table.content();
const aws = {
  AWS_ENDPOINT_URL_CLOUDFORMATION: await startServer(cloudFormation),
  AWS_CONFIG_FILE: noFile,
  AWS_SHARED_CREDENTIALS_FILE: noFile,
  AWS_EC2_METADATA_DISABLED: 'true',
};
afterAll(() => stopServer(cloudFormation));

it('uses the table of a deployed stage', async () => {
  const ended = await plants(['list', '--from', 'user:alice', '--stage', 'dev'], { env: aws });
  expect(ended).toEqual({ code: 0, output: `${JSON.stringify(aloe)}\n`, messages: ['1 item listed.'] });
});

describe('says in one sentence what to do about', () => {
  afterEach(async () => {
    expect(await table.content()).toEqual(before);
  });
  const file = (content: string): string => table.file('new.csv', content);
  const load = (...options: readonly string[]): readonly string[] => [
    'import',
    file('name\nNew\n'),
    '--to',
    'user:alice',
    ...options,
  ];

  it.for<readonly [string, () => readonly string[], RegExp, Readonly<Record<string, string>>?]>([
    [
      'a stage that is not deployed',
      () => load('--stage', 'test'),
      /account and Region have no stack PlantStore-test/,
    ],
    [
      'a stack without outputs',
      () => load('--stage', 'old'),
      /PlantStore-old has no output TableName. Deploy it/,
    ],
    ['a table that does not exist', () => load('--table', 'none'), /no such table .*Check its name/],
    ['a table of something else', () => load('--table', `${table.name}-other`), /is not a table of plants/],
    ['a list of such a table', () => ['list', '--table', `${table.name}-other`], /is not a table of plants/],
    [
      'a stage and a table',
      () => load('--stage', 'dev', '--table', 'x'),
      /--table.* cannot be used with .*--stage/,
    ],
    ...['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL_CLOUDFORMATION'].map(
      (variable) =>
        [
          `an ${variable} without http`,
          () => load('--table', 'x'),
          new RegExp(`^${variable} must .*http:// or https://.*"localhost:8000"`),
          { [variable]: 'localhost:8000' },
        ] as const,
    ),
    ['no Region', () => load('--table', 'x'), /no AWS Region. Set AWS_REGION/, { AWS_REGION: '' }],
    ['no credentials', () => load('--stage', 'dev'), /no AWS credentials. Log in/, { AWS_ACCESS_KEY_ID: '' }],
    ['a principal without prefix', () => ['import', noFile, '--to', 'alice'], /user:NAME or group:NAME/],
    ['a principal without name', () => ['list', '--from', 'user:'], /user:NAME or group:NAME/],
    ['everyone where there must be one', () => ['list', '--from', 'everyone'], /user:NAME or group:NAME/],
    ['no principal', () => ['import', noFile], /'--to <principal>' not specified.* --help/],
    ['an unknown command', () => ['export'], /unknown command 'export'.* --help/],
    ['an unknown option', () => ['list', '--repair'], /unknown option '--repair'.* --help/],
    ['no format', () => ['import', '-', '--to', 'user:alice'], /csv, json or ndjson for Standard input/],
    ['a format that does not exist', () => load('--format', 'xml'), /csv, json, ndjson/],
    ['a list of an id that no one has', () => ['list', 'x', '--table', table.name], /No one has the id x/],
    [
      'an id that its owner does not have',
      () => ['revoke', 'x', '--from', 'user:alice', '--table', table.name],
      /user:alice does not have the id x/,
    ],
  ])('%s', async ([, parameters, message, change = {}]) => {
    const { code, output, messages } = await plants(parameters(), { env: { ...aws, ...change } });
    expect(messages).toEqual([expect.stringMatching(message)]);
    expect({ code, output }).toEqual({ code: 1, output: '' });
  });

  it('a store that does not respond, after seconds', async () => {
    const env = { ...aws, AWS_ENDPOINT_URL_DYNAMODB: await unusedUrl() };
    const { code, messages } = await plants(load('--table', 'x'), { env });
    expect([code, messages]).toEqual([1, [expect.stringMatching(/store does not respond \(ECONNREFUSED\)/)]]);
  });

  it('a defect; with DEBUG it shows where', async () => {
    // Only the SDK reads this file.
    const config = table.file('config', '[default]\nendpoint_url = nonsense\n');
    const env = { ...aws, AWS_ENDPOINT_URL_DYNAMODB: '', AWS_CONFIG_FILE: config };
    expect((await plants(load('--table', 'x'), { env })).messages).toEqual([
      expect.stringMatching(/DEBUG=1/),
    ]);
    const { messages } = await plants(load('--table', 'x'), { env: { ...env, DEBUG: '1' } });
    expect(messages.join('\n')).toMatch(/^ +at /m);
  });
});

describe('when the table throttles', () => {
  const unprocessed = 'unprocessed';
  /** Forwards to the table's store what `refuse` does not answer. */
  const withProxy = async (
    refuse: (operation: string) => string | undefined,
    use: () => Promise<void>,
  ): Promise<void> => {
    const link = await openLink((request) => {
      const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
      const body = request.body.toString();
      const error = refuse(operation);
      if (error === undefined) return forward(table.endpoint, request);
      const reply =
        error === unprocessed
          ? { status: 200, body: body.replace('"RequestItems"', '"UnprocessedItems"') }
          : { status: 400, body: `{"__type":"com.amazon#${error}","message":"No."}` };
      const headers = { 'content-type': 'application/x-amz-json-1.0' };
      return Promise.resolve({ status: reply.status, headers, body: Buffer.from(reply.body) });
    });
    try {
      vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', link.url);
      await use();
    } finally {
      vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', table.endpoint);
      await link.close();
    }
  };

  it('import waits, and writes everything once', async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => `Plant ${String(index)}\n`).join('');
    const path = table.file('many.csv', `name\n${rows}`);
    let first: number | undefined;
    const throttle = (operation: string): string | undefined => {
      if (operation !== 'BatchWriteItem') return undefined;
      first ??= performance.now();
      const seconds = (performance.now() - first) / 1000;
      if (seconds > 10) return undefined;
      return seconds < 5 ? 'ProvisionedThroughputExceededException' : unprocessed;
    };
    await withProxy(throttle, async () => {
      const ended = await table.plants('import', path, '--to', 'user:throttled');
      expect(ended).toMatchObject({ code: 0 });
      expect(ended.messages.at(-1)).toBe('user:throttled: 2,000 added, 0 changed, 0 removed, 0 the same.');
    });
    const { output } = await table.plants('list', '--from', 'user:throttled');
    expect(new Set(output.split('\n')).size).toBe(2001);
  });

  it('list leaves out an item that only the index still has', async () => {
    await withProxy(
      (operation) => (operation === 'GetItem' ? unprocessed : undefined),
      async () => {
        const { messages } = await table.plants('list', aloe.id);
        expect(messages).toEqual(['No one has the id a1. list prints ids.']);
      },
    );
  });

  it('and then refuses to write, says that the command can be run again', async () => {
    const refuse = (operation: string): string | undefined =>
      operation === 'BatchWriteItem' ? 'AccessDeniedException' : undefined;
    await withProxy(refuse, async () => {
      const path = table.file('one.csv', 'name\nOne\n');
      const { code, messages } = await table.plants('import', path, '--to', 'user:one');
      expect([code, messages.at(-1)]).toEqual([
        1,
        expect.stringMatching(/AccessDenied.* Run the same command again/),
      ]);
    });
  });
});
