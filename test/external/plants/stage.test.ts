import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../../local/listen.ts';
import { callerIdOf } from '../../../functions/authorizer/authorize.ts';
import { itemOf } from '../../../table/item.ts';
import { parsed, plants, type TestTable, testTable } from '../../support/plants-command.ts';

const aloe = { id: 'a1', name: 'Aloe vera' };

const issuer = 'https://login.example.com/';
const stackIdOf = (name: string): string =>
  `arn:aws:cloudformation:eu-central-1:123456789012:stack/${name}/1b2c`;
/** The outputs of each stack; that of staging was deployed before it named its issuer. */
const outputsOf = (stackName: string): Readonly<Record<string, string>> | undefined => {
  if (stackName === 'PlantStore-dev') return { TableName: table.name, Issuer: issuer };
  return stackName === 'PlantStore-staging' ? { TableName: table.name } : undefined;
};

/** A CloudFormation with two stacks. */
const cloudFormation = createServer((request, response) => {
  void text(request).then((body) => {
    response.setHeader('content-type', 'text/xml');
    const stackName = new URLSearchParams(body).get('StackName') ?? '';
    const outputs = outputsOf(stackName);
    if (outputs !== undefined)
      response.end(`<DescribeStacksResponse><DescribeStacksResult><Stacks><member>
        <StackName>${stackName}</StackName><StackId>${stackIdOf(stackName)}</StackId><Outputs>${Object.entries(
          outputs,
        )
          .map(
            ([key, value]) =>
              `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
          )
          .join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`);
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
    expect(messages).toEqual(['1 plant exported.']);
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
    ['import', '/dev/null', '--format', 'csv', '--to', 'user:a'],
    ['list'],
    ['who', '1'],
    ['grant', '1', '--to', 'user:a'],
    ['revoke', '1', '--from', 'user:a'],
    ['remove', '1'],
    ['check'],
    ['restore', '--from-table', 'restored'],
  ])('says in one line that the stage is not deployed: %j', async (parameters) => {
    const { code, output, messages } = await plants([...parameters, '--stage', 'prdo'], { env: aws });
    expect({ code, output, messages }).toEqual({
      code: 1,
      output: '',
      messages: [expect.stringMatching(/PlantStore-prdo\b/)],
    });
  });

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

describe('plants caller-id', () => {
  it('prints the id that stands for a user of a stage in the logs, and nothing else', async () => {
    const ended = await plants(['caller-id', 'alice', '--stage', 'dev'], { env: aws });
    const callerId = callerIdOf(stackIdOf('PlantStore-dev'), issuer, 'alice');
    expect(ended).toEqual({ code: 0, output: `${callerId}\n`, messages: [] });
  });

  it.for([
    ['a stack that does not name its issuer', ['alice', '--stage', 'staging'], /Issuer\b.*Deploy it again/],
    ['a stage that is not deployed', ['alice', '--stage', 'test'], /PlantStore-test\b.*account.*Region/],
    ['a table, which has no issuer', ['alice', '--table', 'plants'], /issuer\b.*--stage/],
    ['an endpoint, which has no issuer', ['alice', '--endpoint', 'http://127.0.0.1:1'], /issuer\b.*--stage/],
    ['an empty name', ['', '--stage', 'dev'], /name\b.*255 bytes/],
    ['a name that is too long', ['é'.repeat(128), '--stage', 'dev'], /name\b.*255 bytes/],
  ] as const)('says in one line what to do about %s', async ([, parameters, message]) => {
    const ended = await plants(['caller-id', ...parameters], { env: aws });
    expect(ended).toEqual({ code: 1, output: '', messages: [expect.stringMatching(message)] });
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
    expect(messages).toEqual(['1 plant exported.', expect.stringMatching(/^1 damaged item\b/)]);
    expect(code).toBe(1);
  });

  it('exports nothing of a mistyped user, says so, and with --fail-if-empty exits with 1', async () => {
    const parameters = ['export', '--from', 'user:alcie', ...table.options];
    expect(await plants(parameters)).toEqual({ code: 0, output: '', messages: ['0 plants exported.'] });
    expect(await plants([...parameters, '--fail-if-empty'])).toEqual({
      code: 1,
      output: '',
      messages: ['0 plants exported.', 'user:alcie has no plants.'],
    });
  });

  it('lists damaged items with their sort key as JSON, from which one can be deleted', async () => {
    await table.put([{ principal: { S: 'user#eve' }, sortKey: { S: 'Rosa\u0000r1' }, name: { S: 'Rose' } }]);
    const { output } = await plants(['list', '--from', 'user:eve', ...table.options]);
    expect(output).toMatch(/^ +\(damaged item\) "Rosa\\u0000r1"$/m);
  });
});
