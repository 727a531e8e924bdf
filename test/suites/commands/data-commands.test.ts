import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DynamoDBClient, ListTablesCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { dataCommandsIn } from '../../support/data-commands.ts';
import { readDocument, shellBlocks } from '../../support/markdown.ts';
import { copyProject, type ProjectCopy } from '../../support/service/local-service.ts';
import { dynamoDbTable } from '../../support/table/dynamodb-table.ts';
import { callEmulator, rootKeys } from '../emulator.ts';
import { runTool } from '../tool.ts';
import { dataCases } from './data-cases.ts';

const endpoint = z.url().parse(process.env['MINISTACK_ENDPOINT']);
const aws = z.string().parse(process.env['AWS_CLI_COMMAND']);
const [startHere = ''] = shellBlocks(readDocument('docs/runbook.md'));

const table = {
  Type: 'AWS::DynamoDB::Table',
  DeletionPolicy: 'Retain',
  Properties: {
    DeletionProtectionEnabled: true,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'principal', KeyType: 'HASH' },
      { AttributeName: 'sortKey', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: ['principal', 'sortKey', 'plantId'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-plant',
        KeySchema: [
          { AttributeName: 'plantId', KeyType: 'HASH' },
          { AttributeName: 'principal', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  },
};
const log = { Type: 'AWS::Logs::LogGroup', DeletionPolicy: 'Retain' };
const outputs = { ApiId: 'api', ListFunction: 'list', AuthorizerFunction: 'authorizer', Issuer: 'https://i' };
/** What the commands use of a stage's stack. */
const template = {
  Resources: { Plants: table, ListLog: log, PreTrafficListLog: log },
  Outputs: {
    TableName: { Value: { Ref: 'Plants' } },
    ...Object.fromEntries(Object.entries(outputs).map(([name, Value]) => [name, { Value }])),
  },
};

let project: ProjectCopy;
let tableName: string;
beforeEach(async () => {
  project = copyProject();
  const stack = '--stack-name PlantStore-prod';
  writeFileSync(join(project.folder, 'template.json'), JSON.stringify(template));
  mkdirSync(join(project.folder, 'bin'));
  symlinkSync(aws, join(project.folder, 'bin/aws'));
  // Version 1 of the AWS CLI does not read AWS_REGION.
  const cloudFormation = 'aws cloudformation --region $AWS_REGION';
  const deploy = `${cloudFormation} create-stack ${stack} --template-body file://template.json --enable-termination-protection &&
    ${cloudFormation} wait stack-create-complete ${stack}`;
  // Of npm's commands, only those of the command line for plants run.
  stand(
    'npm',
    `case "$*" in *' plants -- '*) PATH=\${PATH#*:} exec npm "$@" ;; *' deploy '*) ${deploy} ;; esac`,
  );
  stand('npx', 'true');
  await runScript(deploy);
  tableName = (await runAfterStart('echo "$TABLE"')).trim();
});
afterEach(async () => {
  project.remove();
  await callEmulator(endpoint, { service: 'sts', method: 'POST', path: '/_ministack/reset' });
});

const stand = (command: string, script: string): void => {
  const path = join(project.folder, 'bin', command);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
};

/** @throws {Error} unless the script ends with code 0 */
const runScript = async (script: string): Promise<string> => {
  const { succeeded, stdout, output } = await runTool('bash', ['--norc', '-o', 'pipefail', '-c', script], {
    cwd: project.folder,
    env: {
      PATH: `${join(project.folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: project.folder,
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: rootKeys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: rootKeys.secretAccessKey,
    },
  });
  if (!succeeded) throw new Error(output);
  return stdout;
};
const runAfterStart = (script: string): Promise<string> => runScript(`{ ${startHere} } >&2\n${script}`);

const keys = async (name?: string, region = 'us-east-1'): Promise<readonly string[] | undefined> => {
  const client = new DynamoDBClient({ endpoint, region, credentials: rootKeys });
  const { TableNames: [first] = [] } = await client.send(new ListTablesCommand());
  const found: string[] = [];
  try {
    for await (const { Items = [] } of paginateScan({ client }, { TableName: name ?? first }))
      found.push(...Items.map(({ principal, sortKey }) => `${principal?.S ?? ''} ${sortKey?.S ?? ''}`));
    return found.sort();
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  } finally {
    client.destroy();
  }
};

it.for(dataCases.map((each) => [`${each.document}: ${each.words}`, each.effect, each] as const))(
  '%s %s',
  async ([, , { document, words, check }]) => {
    const script = dataCommandsIn([document]).find((each) => each.script.includes(words))?.script ?? '';
    expect(script).not.toBe('');
    await check(script, {
      tableName,
      run: runAfterStart,
      put: async (items, name = tableName) => {
        const store = dynamoDbTable(endpoint, name, rootKeys);
        await store.put(items);
        store.close();
      },
      keys: (name, region) => keys(name ?? (region === undefined ? tableName : undefined), region),
      file: (name, content) => {
        writeFileSync(join(project.folder, name), content);
      },
      content: (name) => {
        const found = readdirSync(project.folder).filter((each) => name.test(each));
        expect(found).toHaveLength(1);
        return readFileSync(join(project.folder, found[0] ?? ''), 'utf8');
      },
    });
  },
);
