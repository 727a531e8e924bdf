import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../../local/listen.ts';
import { itemOf } from '../../../table/item.ts';
import { parsed, plants, type TestTable, testTable } from '../../support/plants-command.ts';

const aloe = { id: 'a1', name: 'Aloe vera' };

/** A CloudFormation with one stack, PlantStore-dev. */
const cloudFormation = createServer((request, response) => {
  void text(request).then((body) => {
    response.setHeader('content-type', 'text/xml');
    if (new URLSearchParams(body).get('StackName') === 'PlantStore-dev')
      response.end(`<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
        <StackName>PlantStore-dev</StackName><Outputs><member>
        <OutputKey>TableName</OutputKey><OutputValue>${table.name}</OutputValue>
        </member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`);
    else
      response
        .writeHead(400)
        .end(
          '<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack does not exist</Message></Error></ErrorResponse>',
        );
  });
});

let table: TestTable;
let aws: Readonly<Record<string, string>>;
const noFile = '/dev/null';
beforeAll(async () => {
  const port = await listen(cloudFormation satisfies Server, 0, 'PORT');
  table = await testTable();
  await table.put([itemOf('user#alice', aloe)]);
  aws = {
    AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${String(port)}`,
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: 'eu-central-1',
  };
});
afterAll(() => {
  table.close();
  cloudFormation.close();
});

describe('plants --stage', () => {
  it('uses the table that the deployed stack names', async () => {
    const { output, messages } = await plants(['export', '--from', 'user:alice', '--stage', 'dev'], {
      env: aws,
    });
    expect(messages).toEqual([]);
    expect(parsed(output)).toEqual([aloe]);
  });

  it.for([
    ['a stage that is not deployed', 'test', {}, /PlantStore-test\b.*account.*Region/],
    ['no Region', 'dev', { AWS_REGION: '', AWS_DEFAULT_REGION: '' }, /Region\b.*AWS_REGION/],
    [
      'no credentials',
      'dev',
      { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', AWS_EC2_METADATA_DISABLED: 'true' },
      /AWS credentials/,
    ],
    [
      'a store that does not respond',
      'dev',
      { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' },
      /store\b.*ECONNREFUSED/,
    ],
  ] as const)('says in one line what to do about %s', async ([, stage, change, message]) => {
    const { code, output, messages } = await plants(['export', '--from', 'user:alice', '--stage', stage], {
      env: { ...aws, AWS_CONFIG_FILE: noFile, AWS_SHARED_CREDENTIALS_FILE: noFile, ...change },
    });
    expect(messages).toEqual([expect.stringMatching(message)]);
    expect({ code, output }).toEqual({ code: 1, output: '' });
  });
});

describe('plants', () => {
  it.for([
    [['--endpoint', 'http://127.0.0.1:1'], /--table\b.*--endpoint\b/],
    [['--stage', 'dev', '--table', 'plants'], /--stage\b.*--table\b/],
  ] as const)('refuses options that do not name one table: %s', async ([options, message]) => {
    const { code, messages } = await plants(['export', '--from', 'user:alice', ...options], { env: aws });
    expect({ code, messages }).toEqual({ code: 1, messages: [expect.stringMatching(message)] });
  });

  it('says what is wrong with an endpoint', async () => {
    const { code, messages } = await plants([
      ...['export', '--from', 'user:alice', '--table', 'plants', '--endpoint', 'nonsense'],
    ]);
    expect([code, messages[0]]).toEqual([1, expect.stringMatching(/URL\b.*http:\/\/127\.0\.0\.1:8000/)]);
  });
});

describe('plants --table', () => {
  it('says when there is no such table', async () => {
    const { code, messages } = await plants([
      'list',
      '--from',
      'user:alice',
      '--table',
      'other',
      '--endpoint',
      table.endpoint,
    ]);
    expect(messages).toEqual([expect.stringMatching(/table\b.*not exist/)]);
    expect(code).toBe(1);
  });

  it('leaves damaged items out of an export, and says how many', async () => {
    await table.put([itemOf('user#bob', aloe), { principal: { S: 'user#bob' }, sortKey: { S: 'no id' } }]);
    const { code, output, messages } = await plants(['export', '--from', 'user:bob', ...table.options]);
    expect(parsed(output)).toEqual([aloe]);
    expect(messages).toEqual([expect.stringMatching(/^1 damaged item\b/)]);
    expect(code).toBe(1);
  });

  it('lists damaged items with their sort key as JSON, from which one can be deleted', async () => {
    await table.put([{ principal: { S: 'user#eve' }, sortKey: { S: 'Rosa\u0000r1' }, name: { S: 'Rose' } }]);
    const { output } = await plants(['list', '--from', 'user:eve', ...table.options]);
    expect(output).toMatch(/^ +\(damaged item\) "Rosa\\u0000r1"$/m);
  });
});
