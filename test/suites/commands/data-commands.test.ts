import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { Item } from '../../contract/target.ts';
import { projectFiles, readDocument, shellBlocks } from '../../support/markdown.ts';
import { copyProject, type ProjectCopy } from '../../support/service/local-service.ts';
import { idOf } from '../../support/resources.ts';
import { stageNamed, templateOf } from '../../support/synthesized.ts';
import { dynamoDbTable, region } from '../../support/table/dynamodb-table.ts';
import { callEmulator, rootKeys } from '../emulator.ts';
import { runTool } from '../tool.ts';

/** A block of commands, or a command within a sentence, that reads or changes plants or logs. */
interface DataCommand {
  readonly document: string;
  readonly script: string;
}

const touchesData = /\baws (?:dynamodb|logs) (?!wait\b)|\bplants -- (?:import|list|grant|revoke) ./;
const documented: readonly DataCommand[] = projectFiles()
  .filter((file) => file.endsWith('.md'))
  .flatMap((document) => {
    const text = readDocument(document);
    const inSentences = text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`((?:aws|npm run) [^`]+)`/g);
    return [...shellBlocks(text), ...[...inSentences].map(([, command = '']) => command)]
      .filter((script) => touchesData.test(script))
      .map((script) => ({ document, script }));
  });

const endpoint = z.url().parse(process.env['MINISTACK_ENDPOINT']);
const aws = z.string().parse(process.env['AWS_CLI_COMMAND']);
const [startHere = ''] = shellBlocks(readDocument('docs/runbook.md'));

const prod = templateOf(stageNamed('prod'));
const otherOutputs = ['ApiId', 'ListFunction', 'AuthorizerFunction', 'Issuer'];
/** What the commands use of a stage's stack: its table, its logs and its outputs. */
const template = {
  Resources: { ...prod.findResources('AWS::DynamoDB::Table'), ...prod.findResources('AWS::Logs::LogGroup') },
  Outputs: {
    TableName: { Value: { Ref: idOf(prod, 'AWS::DynamoDB::Table') } },
    ...Object.fromEntries(otherOutputs.map((name) => [name, { Value: name }])),
  },
};

let project: ProjectCopy;
let tableName = '';
beforeEach(async () => {
  project = copyProject();
  file('template.json', JSON.stringify(template));
  mkdirSync(join(project.folder, 'bin'));
  symlinkSync(aws, join(project.folder, 'bin/aws'));
  // Version 1 of the AWS CLI does not read AWS_REGION.
  const deploy = `export AWS_DEFAULT_REGION=$AWS_REGION && aws cloudformation create-stack \
    --stack-name PlantStore-prod --template-body file://template.json --enable-termination-protection &&
    aws cloudformation wait stack-create-complete --stack-name PlantStore-prod`;
  // `plants` runs with the real npm, `deploy` creates the stack of the template, the rest does nothing.
  stub(
    'npm',
    `case "$*" in *' plants -- '*) PATH=\${PATH#*:} exec npm "$@" ;; *' deploy '*) ${deploy} ;; esac`,
  );
  stub('npx', 'true');
  await run('npm run deploy -- PlantStore-prod');
  const output = "Stacks[0].Outputs[?OutputKey=='TableName'].OutputValue";
  tableName = (await run(`aws cloudformation describe-stacks --query "${output}" --output text`)).trim();
});
afterEach(async () => {
  project.remove();
  await callEmulator(endpoint, { service: 'sts', method: 'POST', path: '/_ministack/reset' });
});

const file = (name: string, content: string): void => {
  writeFileSync(join(project.folder, name), content);
};
const stub = (command: string, script: string): void => {
  file(`bin/${command}`, `#!/bin/sh\n${script}\n`);
  chmodSync(join(project.folder, 'bin', command), 0o755);
};

/**
 * Runs a script in a new shell in which the stage's variables are set.
 * @throws {Error} unless the script ends with code 0
 */
const run = async (script: string): Promise<string> => {
  const { succeeded, stdout, output } = await runTool('bash', ['--norc', '-o', 'pipefail', '-c', script], {
    cwd: project.folder,
    env: {
      PATH: `${join(project.folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: project.folder,
      STAGE: 'prod',
      TABLE: tableName,
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_ACCESS_KEY_ID: rootKeys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: rootKeys.secretAccessKey,
    },
  });
  if (!succeeded) throw new Error(output);
  return stdout;
};
/** Runs a documented script as an operator does, after the runbook’s “Start here”, which sets variables. */
const runAfterStart = (script: string): Promise<string> =>
  run(`unset STAGE TABLE; { ${startHere} } >&2\n${script}`);

const put = async (items: readonly Item[], name = tableName): Promise<void> => {
  const store = dynamoDbTable(endpoint, name, rootKeys);
  await store.put(items);
  store.close();
};

/** The keys of all items of a table as "principal sortKey", sorted. */
const keys = async (name = tableName, where = region): Promise<readonly string[]> => {
  const query = "sort(Items[].join(' ', [principal.S, sortKey.S]))";
  const table = `--region ${where} --table-name ${name}`;
  return z.array(z.string()).parse(JSON.parse(await run(`aws dynamodb scan ${table} --query "${query}"`)));
};

/** Restores the table under another name, and returns the name. */
const restored = async (): Promise<string> => {
  const name = `${tableName}-restored`;
  const source = '--source-table-name "$TABLE" --use-latest-restorable-time';
  await run(`aws dynamodb restore-table-to-point-in-time ${source} --target-table-name ${name}`);
  return name;
};

const damaged = (principal: string, sortKey: string): Item => ({
  principal: { S: principal },
  sortKey: { S: sortKey },
});
const plant = (principal: string, name: string, id: string): Item => ({
  ...damaged(principal, `${name}\u0000${id}`),
  name: { S: name },
  plantId: { S: id },
});
const fern = plant('user#alice', 'Fern', 'a2');
const fernKey = 'user#alice Fern\u0000a2';

const runbook = 'docs/runbook.md';

/** A document, words that identify a command in it, the command's effect, and a check of that effect. */
const cases: readonly (readonly [
  document: string,
  words: string,
  effect: string,
  check: (script: string) => Promise<void>,
])[] = [
  [
    'docs/plants.md',
    'aws dynamodb delete-item',
    'deletes the item of a key that list printed',
    async (script) => {
      await put([damaged('user#alice', 'Fern\u0000a1'), fern]);
      const listed = await run('npm run -s plants -- list --from user:alice --stage "$STAGE"');
      const [, key = ''] = /^{"damaged":(.*)}$/m.exec(listed) ?? [];
      await runAfterStart(script.replace('TABLE', tableName).replace('KEY', key));
      expect(await keys()).toEqual([fernKey]);
    },
  ],
  [
    'docs/plants.md',
    'npm run plants -- list --stage prod -- -a1',
    'lists the plant with an id that begins with a dash',
    async (script) => {
      await put([plant('user#alice', 'Aloe', '-a1'), fern]);
      expect(await runAfterStart(script.replace('npm run', 'npm run -s'))).toBe(
        '{"who":"user:alice","id":"-a1","name":"Aloe"}\n',
      );
    },
  ],
  [
    runbook,
    'for log in $(aws cloudformation',
    'prints what the hooks logged',
    async (script) => {
      const groups = await run(
        "aws logs describe-log-groups --query 'logGroups[*].logGroupName' --output text",
      );
      const group = groups.split(/\s/).find((each) => each.includes('PreTrafficListPlantsLog')) ?? '';
      const log = `--log-group-name ${group} --log-stream-name s`;
      const message = '{"message":{"event":"version-refused","problem":"wrong-response"}}';
      file('events.json', JSON.stringify([{ timestamp: Date.now(), message }]));
      await run(
        `aws logs create-log-stream ${log} && aws logs put-log-events ${log} --log-events file://events.json`,
      );
      expect(await runAfterStart(script)).toContain(message);
    },
  ],
  [
    runbook,
    'npm run -s plants -- list --stage "$STAGE" | sed',
    'prints the keys of damaged items, and nothing else',
    async (script) => {
      await put([damaged('user#bob', 'x'), plant('user#alice', '{"damaged":', 'a3'), fern]);
      expect(await runAfterStart(script)).toBe(
        '{"damaged":{"principal":{"S":"user#bob"},"sortKey":{"S":"x"}}}\n',
      );
    },
  ],
  [
    runbook,
    'aws dynamodb delete-item',
    'deletes the damaged item and prints it',
    async (script) => {
      await put([{ ...damaged('user#alice', 'Fern\u0000a1'), name: { N: '5' } }, fern]);
      expect(JSON.parse(await runAfterStart(script))).toMatchObject({ Attributes: { name: { N: '5' } } });
      expect(await keys()).toEqual([fernKey]);
    },
  ],
  [
    runbook,
    'npm run -s plants -- list --from user:SUB',
    'saves the plants of a user, deletes them, and leaves those of others',
    async (script) => {
      await put([fern, plant('group#alice', 'Rose', 'r')]);
      await runAfterStart(script.replaceAll('SUB', 'alice'));
      expect(await keys()).toEqual(['group#alice Rose\u0000r']);
      const [saved = ''] = readdirSync(project.folder).filter((name) => /^revoked-\d+\.ndjson$/.test(name));
      expect(readFileSync(join(project.folder, saved), 'utf8')).toBe('{"id":"a2","name":"Fern"}\n');
    },
  ],
  [
    runbook,
    'aws dynamodb restore-table-to-point-in-time',
    'restores the table under another name',
    async (script) => {
      await put([fern]);
      await runAfterStart(script);
      expect(await keys(`${tableName}-restored`)).toEqual([fernKey]);
    },
  ],
  [
    runbook,
    'npm run -s plants -- list --from group:gardeners --table "$TABLE-restored"',
    'copies the plants of a group back, and deletes the restored table',
    async (script) => {
      await put([plant('group#gardeners', 'Rose', 'r'), fern], await restored());
      await put([plant('group#gardeners', 'Wrong', 'w'), plant('user#alice', 'Kept', 'k')]);
      await runAfterStart(script);
      expect(await keys()).toEqual(['group#gardeners Rose\u0000r', 'user#alice Kept\u0000k']);
      await expect(keys(`${tableName}-restored`)).rejects.toThrow('ResourceNotFoundException');
    },
  ],
  [
    runbook,
    'aws dynamodb update-table --table-name "$TABLE-restored" --deletion-protection-enabled',
    'protects the restored table',
    async (script) => {
      const name = await restored();
      await runAfterStart(script);
      await expect(run(`aws dynamodb delete-table --table-name ${name}`)).rejects.toThrow('protected');
      expect(await keys(name)).toEqual([]);
      expect(await run(`aws dynamodb describe-continuous-backups --table-name ${name}`)).toMatch(
        /"PointInTimeRecoveryStatus": "ENABLED"/,
      );
    },
  ],
  [
    runbook,
    'BACKUP=$(aws dynamodb list-backups',
    'restores a deleted table from its newest backup',
    async (script) => {
      const name = '--table-name "$TABLE"';
      await run(`aws dynamodb create-backup ${name} --backup-name older`);
      await put([fern]);
      await run(`aws dynamodb create-backup ${name} --backup-name newer`);
      await run(`aws dynamodb update-table ${name} --no-deletion-protection-enabled`);
      await run(`aws dynamodb delete-table ${name}`);
      // The emulator makes no backup of its own when a table is deleted.
      await runAfterStart(script.replace('--backup-type SYSTEM', '--backup-type USER'));
      expect(await keys()).toEqual([fernKey]);
    },
  ],
  [
    runbook,
    'export STAGE=prod AWS_REGION=eu-west-1',
    'loads the plants of a file into the stack of another Region',
    async (script) => {
      file('plants.csv', 'id,name\nr,Rose\n');
      await runAfterStart(script);
      const tables = 'aws dynamodb list-tables --region eu-west-1 --query TableNames --output text';
      expect(await keys((await run(tables)).trim(), 'eu-west-1')).toEqual(['group#gardeners Rose\u0000r']);
      expect(await keys()).toEqual([]);
    },
  ],
  [
    runbook,
    'LOGS=$(resources Logs::LogGroup)',
    'deletes the stack, its table and its logs',
    async (script) => {
      await put([fern]);
      await runAfterStart(script);
      await expect(keys()).rejects.toThrow('ResourceNotFoundException');
      expect(await run('aws logs describe-log-groups --query "length(logGroups)"')).toBe('0\n');
      await expect(run('aws cloudformation describe-stacks --stack-name PlantStore-prod')).rejects.toThrow();
    },
  ],
];

/** The command that the suite `plants` runs. */
const others = [['docs/plants.md', 'import plants.csv --to user:alice']] as const;

const scriptsWith = (document: string, words: string): readonly string[] =>
  documented
    .filter((each) => each.document === document && each.script.includes(words))
    .map(({ script }) => script);

it.for(cases)('%s: the command with `%s` %s', async ([document, words, , check]) => {
  const [script = ''] = scriptsWith(document, words);
  expect(script).not.toBe('');
  await check(script);
});

it('has a case for every documented command that reads or changes plants or logs', () => {
  const known = [...cases, ...others].map(([document, words]) => scriptsWith(document, words));
  expect(known.filter((scripts) => scripts.length !== 1)).toEqual([]);
  expect(documented.map(({ script }) => script).toSorted()).toEqual(known.flat().toSorted());
});
