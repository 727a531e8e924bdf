// The suite `commands` proves: on MiniStack and in a new bash, the blocks of the runbook that change a stage,
// the block of issuers.md, and the block of pipeline.md that creates the role of the pipeline do what the
// document says. It cannot show what a command does on AWS.
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callerIdOf } from '../../../functions/http/caller-context.ts';
import type { Item } from '../../contract/target.ts';
import { startFakeServer } from '../../support/fake-server.ts';
import { shellBlocks } from '../../support/markdown.ts';
import { readProjectFile } from '../../support/project-files.ts';
import { stageNamed } from '../../support/synthesized.ts';
import { dynamoDbTable, region } from '../../support/table/dynamodb-table.ts';
import { item, key, sortKeyOf } from '../../support/table/plants.ts';
import { callEmulator, callIam, rootKeys } from '../emulator.ts';
import { commandsInSentences, endpoint, operatorShell } from './operator-shell.ts';
import { createStack } from './emulated-stack.ts';

const runbook = 'docs/runbook.md';
const pipeline = 'docs/pipeline.md';
const [startHere = ''] = shellBlocks(readProjectFile(runbook));
const { issuer } = z.object({ issuer: z.string() }).parse(stageNamed('prod').tokens);

const issuers = 'docs/issuers.md';

/** The only block of a document, or command within a sentence, that contains these words. */
const commandsWith = (document: string, words: string): string => {
  const commands = [...shellBlocks(readProjectFile(document)), ...commandsInSentences(document)];
  const [script = '', ...others] = commands.filter((command) => command.includes(words));
  if (script === '' || others.length > 0)
    throw new Error(`${document} has no block, or several blocks, with ${words}.`);
  return script;
};

const shell = operatorShell({
  // `npm run plants` runs with the real npm, and other npm commands do nothing.
  npm: `case "$*" in *' plants -- '*) PATH=\${PATH#*:} exec npm "$@" ;; esac`,
  ...{ git: '', npx: '', curl: '', sleep: '' },
  gh: `echo 'repo:team@1/plant-store@2'`,
});
const { run, calls } = shell;
afterAll(shell.remove);

/** Prepares and reads tables with the SDK, because starting the AWS CLI takes most of a second. */
const dynamoDb = new DynamoDB({ endpoint, region, credentials: rootKeys });

let outputs: Readonly<Record<string, string>>;
let tableName = '';
beforeEach(async () => {
  outputs = await createStack();
  tableName = outputs['TableName'] ?? '';
});
afterEach(async () => {
  await fetch(`${endpoint}/_ministack/reset`, { method: 'POST' });
});

/**
 * The part of “Start here” before `TABLE=`. Tests set the variables of the rest themselves, because reading
 * the names from the stack with the AWS CLI takes seconds.
 */
const [startHereWithoutNames = ''] = startHere.split('TABLE=');
/** The names that “Start here” reads from the stack. */
const namesInStack = (): readonly string[] =>
  ['TableName', 'ListPlantsFunction', 'AuthorizerFunction'].map((name) => outputs[name] ?? '');

/** Runs a script after “Start here”, as an operator does. */
const runAfterStart = (script: string, environment?: Readonly<Record<string, string>>): Promise<string> => {
  const [table = '', list = '', authorizer = ''] = namesInStack();
  const variables = `TABLE=${table} LIST=${list} AUTHORIZER=${authorizer}`;
  return run([startHereWithoutNames, variables, script].join('\n'), {
    AWS_DEFAULT_OUTPUT: 'table',
    ...environment,
  });
};

const put = async (items: readonly Item[], name = tableName): Promise<void> => {
  const store = dynamoDbTable(endpoint, name, rootKeys);
  await store.put(items);
  store.close();
};

/** The primary keys of all items of a table, as sorted texts "principal sortKey". */
const keys = async (TableName = tableName): Promise<readonly string[]> => {
  const { Items = [] } = await dynamoDb.scan({ TableName });
  return Items.map(({ principal, sortKey }) => `${principal?.S ?? ''} ${sortKey?.S ?? ''}`).toSorted();
};

/** Restores the table under another name. @returns the name */
const restoreTable = async (): Promise<string> => {
  const name = `${tableName}-restored`;
  await dynamoDb.restoreTableToPointInTime({ SourceTableName: tableName, TargetTableName: name });
  return name;
};

/** The states of a table's deletion protection and point-in-time recovery. */
const protections = async (TableName: string): Promise<readonly unknown[]> => {
  const { Table } = await dynamoDb.describeTable({ TableName });
  const { ContinuousBackupsDescription: backups } = await dynamoDb.describeContinuousBackups({ TableName });
  const recovery = backups?.PointInTimeRecoveryDescription;
  return [Table?.DeletionProtectionEnabled, recovery?.PointInTimeRecoveryStatus];
};

/** An item without a name, and possibly with an invalid sort key. */
const damagedItem = (principal: string, sortKey: string): Item => ({
  principal: { S: principal },
  sortKey: { S: sortKey },
});
const fern = item('user#alice', 'Fern', 'a2');
const fernKey = `user#alice ${sortKeyOf('Fern', 'a2')}`;

describe('a block of docs/runbook.md', () => {
  it('prints the names of the table and of the functions', async () => {
    expect(await run(startHere, { AWS_DEFAULT_OUTPUT: 'table' })).toBe(`${namesInStack().join(' ')}\n`);
  });

  it('stops each running deployment with a rollback, and shows the versions in use', async () => {
    const stopped: unknown[] = [];
    const statuses = new Set<unknown>();
    // The emulator has no CodeDeploy.
    const codeDeploy = await startFakeServer(({ headers, body }) => {
      const request = z.looseObject({}).parse(JSON.parse(body.toString()));
      const { deploymentGroupName, includeOnlyStatuses, ...parameters } = request;
      if (includeOnlyStatuses !== undefined) statuses.add(JSON.stringify(includeOnlyStatuses));
      if (headers['x-amz-target'] === 'CodeDeploy_20141006.StopDeployment') stopped.push(parameters);
      const deployments = deploymentGroupName === 'List' ? ['d-LIST1'] : [];
      return Promise.resolve({
        status: 200,
        headers: {},
        body: Buffer.from(JSON.stringify({ deployments })),
      });
    });
    // Stands in for the function `resources` of the runbook: one CodeDeploy application with two deployment
    // groups.
    const resources = `resources() {
      if [ $1 = CodeDeploy::Application ]; then echo Releases; else echo List Other; fi
    }`;
    const printed = await runAfterStart(
      `${resources}\n${commandsWith(runbook, 'aws deploy stop-deployment')}`,
      { AWS_ENDPOINT_URL_CODEDEPLOY: codeDeploy.url },
    );
    await codeDeploy.close();
    // Every status of a deployment that has not ended (“DeploymentInfo” in the API reference of CodeDeploy).
    expect([...statuses]).toEqual(['["Created","Queued","InProgress","Baking","Ready"]']);
    expect(stopped).toEqual([{ deploymentId: 'd-LIST1', autoRollbackEnabled: true }]);
    expect(printed.replaceAll(/\s/g, '')).toMatch(/\["1",null\]\["1",null\]$/);
  });

  it('calculates the ids of callers as the authorizer does', async () => {
    const printed = await runAfterStart(`${commandsWith(runbook, 'sha256sum')}\necho "$STACK_ID"`);
    const [alice, bob, stackId = ''] = printed.split('\n');
    expect([alice, bob]).toEqual(['alice', 'bob'].map((sub) => `${callerIdOf(stackId, issuer, sub)} ${sub}`));
  });

  it('sets the throttle of the API', async () => {
    await runAfterStart(commandsWith(runbook, 'aws apigatewayv2 update-stage'));
    const api = `${endpoint}/v2/apis/${outputs['ApiId'] ?? ''}`;
    const stage = await callEmulator('apigateway', `${api}/stages/$default`);
    const throttle = { throttlingRateLimit: 2000, throttlingBurstLimit: 4000 };
    expect(JSON.parse(stage)).toMatchObject({ defaultRouteSettings: throttle });
  });

  const listDamaged = (): Promise<string> =>
    runAfterStart(commandsWith(runbook, 'plants -- list --stage "$STAGE" | grep'));

  it('prints the keys of damaged items, and nothing else', async () => {
    await put([damagedItem('user#bob', 'x'), item('user#alice', '{"damaged":', 'a3'), fern]);
    expect(await listDamaged()).toBe('{"damaged":{"principal":{"S":"user#bob"},"sortKey":{"S":"x"}}}\n');
  });

  it('deletes a damaged item by its printed key, and prints it', async () => {
    await put([{ ...key("user#o'hara", 'Fern', "a'1"), name: { N: '5' } }, fern]);
    const [, printedKey = ''] = /^\{"damaged":(.+)\}\n$/.exec(await listDamaged()) ?? [];
    const block = commandsWith(runbook, 'aws dynamodb delete-item');
    const printed = await runAfterStart(block.replace('KEY', printedKey.replaceAll("'", '\\u0027')));
    expect(JSON.parse(printed)).toMatchObject({ Attributes: { name: { N: '5' } } });
    expect(await keys()).toEqual([fernKey]);
  });

  it('restores the table under another name', async () => {
    await put([fern]);
    await runAfterStart(commandsWith(runbook, 'aws dynamodb restore-table-to-point-in-time'));
    expect(await keys(`${tableName}-restored`)).toEqual([fernKey]);
  });

  it('replaces the plants of a group by those of the restored table, and deletes that table', async () => {
    await put([item('group#gardeners', 'Rose', 'r'), fern], await restoreTable());
    await put([item('group#gardeners', 'Wrong', 'w'), item('user#alice', 'Kept', 'k')]);
    await runAfterStart(commandsWith(runbook, '--table "$TABLE-restored"'));
    expect(await keys()).toEqual([
      `group#gardeners ${sortKeyOf('Rose', 'r')}`,
      `user#alice ${sortKeyOf('Kept', 'k')}`,
    ]);
    await expect(keys(`${tableName}-restored`)).rejects.toThrow('Requested resource not found');
  });

  it('sets deletion protection and point-in-time recovery for the restored table', async () => {
    const name = await restoreTable();
    await runAfterStart(commandsWith(runbook, 'aws dynamodb update-table --table-name "$TABLE-restored"'));
    expect(await protections(name)).toEqual([true, 'ENABLED']);
  });

  it('restores a deleted table from its newest backup, with deletion protection and recovery', async () => {
    const table = { TableName: tableName };
    await dynamoDb.createBackup({ ...table, BackupName: 'older' });
    await put([fern]);
    await dynamoDb.createBackup({ ...table, BackupName: 'newer' });
    await dynamoDb.updateTable({ ...table, DeletionProtectionEnabled: false });
    await dynamoDb.deleteTable(table);
    // AWS backs a table up when the table is deleted (type SYSTEM), and the emulator does not.
    const block = commandsWith(runbook, 'aws dynamodb list-backups').replace('SYSTEM', 'USER');
    await runAfterStart(block);
    expect(await keys()).toEqual([fernKey]);
    expect(await protections(tableName)).toEqual([true, 'ENABLED']);
  });
});

/** Ends of blocks, each from the first command that the emulator does not support. */
const notEmulated = ['aws cloudformation describe-events', 'aws apigatewayv2 reset-authorizers-cache'].map(
  (command) => {
    const block = commandsWith(runbook, command);
    return block.slice(block.indexOf(command));
  },
);
const commandsOfSentences = commandsInSentences(runbook).filter((command) => command.startsWith('aws '));

it.each([...commandsOfSentences, ...notEmulated])(
  'the AWS CLI accepts the parameters of `%s`',
  async (command) => {
    const unreachable = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_MAX_ATTEMPTS: '1' };
    const environment = { STACK: 'PlantStore-prod', LIST: 'list', ...unreachable };
    await expect(run(`output() { echo id; }\n${command}`, environment)).rejects.toThrow(
      'Could not connect to the endpoint URL',
    );
  },
);

it('no block that needs “Start here” deploys, imports or calls Git after “Start here” failed', async () => {
  const failingAws = 'aws() { return 254; }';
  // The block that sets AWS_REGION starts in another Region, so it does not need “Start here”.
  const [, ...blocks] = shellBlocks(readProjectFile(runbook)).filter(
    (block) => !block.includes('AWS_REGION='),
  );
  await run([failingAws, startHere, ...blocks.map((block) => `( ${block} ) || true`)].join('\n'));
  expect(calls()).not.toMatch(/deploy|import|git/);
});

describe('a block of docs/pipeline.md', () => {
  const cdkRoles = ['deploy', 'file-publishing', 'lookup'];
  const account = '000000000000';
  const cdkRole = (role: string): string => `cdk-hnb659fds-${role}-role-${account}-${region}`;

  /**
   * Requests credentials of a role from STS. @returns key id, secret and session token; empty if STS refuses
   */
  const assumeRole = async (parameters: Readonly<Record<string, string>>, ...options: readonly string[]) => {
    const data = new URLSearchParams({ Version: '2011-06-15', RoleSessionName: 'job', ...parameters });
    const response = await callEmulator('sts', endpoint, ...options, '--data', String(data)).catch(String);
    return response.match(/(?<=<(?:AccessKeyId|SecretAccessKey|SessionToken)>)[^<]+/g) ?? [];
  };

  /**
   * The roles of CDK that a job can assume if its token has this subject. The job first assumes the role of
   * its stage, with whose credentials it can assume roles of CDK.
   */
  const assumableBy = async (sub: string): Promise<readonly string[]> => {
    const claims = { iss: 'https://token.actions.githubusercontent.com', aud: 'sts.amazonaws.com', sub };
    const token = ['{}', JSON.stringify(claims), 'signature'].map((part) =>
      Buffer.from(part).toString('base64url'),
    );
    const [keyId, secret = '', sessionToken = ''] = await assumeRole({
      Action: 'AssumeRoleWithWebIdentity',
      RoleArn: `arn:aws:iam::${account}:role/PlantStore-prod-deploy`,
      WebIdentityToken: token.join('.'),
    });
    if (keyId === undefined) return [];
    const login = ['--user', `${keyId}:${secret}`, '--header', `x-amz-security-token: ${sessionToken}`];
    const requests = cdkRoles.map((role) =>
      assumeRole(
        { Action: 'AssumeRole', RoleArn: `arn:aws:iam::${account}:role/${cdkRole(role)}` },
        ...login,
      ),
    );
    const credentials = await Promise.all(requests);
    return cdkRoles.filter((_, index) => credentials[index]?.length === 3);
  };

  it('lets only jobs of the stage’s environment assume CDK’s deploy and file-publishing roles', async () => {
    const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: account } };
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: [trust] });
    for (const role of cdkRoles) {
      const parameters = { Action: 'CreateRole', RoleName: cdkRole(role), AssumeRolePolicyDocument: policy };
      await callIam(endpoint, parameters);
    }
    await run(
      commandsWith(pipeline, 'aws iam create-open-id-connect-provider').replace('eu-central-1', region),
    );
    const repository = 'repo:team@1/plant-store@2';
    expect(await assumableBy(`${repository}:environment:prod`)).toEqual(['deploy', 'file-publishing']);
    expect(await assumableBy(`${repository}:environment:staging`)).toEqual([]);
    expect(await assumableBy(`${repository}:ref:refs/heads/main`)).toEqual([]);
  });
});

it('the block of docs/issuers.md sends a token to the authorizer, and prints the result', async () => {
  const script = commandsWith(issuers, 'lambda invoke');
  // `| cat`, because the pipes that Node.js makes are sockets, for which Linux has no /dev/stdout.
  const printed = await run(`{\n${script}\n} | cat`, {
    AUTHORIZER: outputs['AuthorizerFunction'] ?? '',
    TOKEN: 'a.b-_.c',
  });
  expect(printed).toContain('{"identitySource": ["Bearer a.b-_.c"]}');
});
