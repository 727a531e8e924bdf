import { expect } from 'vitest';
import type { Item } from '../../contract/target.ts';

/** An account with the stack PlantStore-prod, whose table and logs are empty. */
export interface Account {
  readonly tableName: string;
  /** Runs a script in a new shell after “Start here” of the runbook; with output if it ends with code 0. */
  readonly run: (script: string) => Promise<string>;
  readonly put: (items: readonly Item[], tableName?: string) => Promise<void>;
  /** The keys of all items as "principal sortKey", sorted; undefined if there is no such table. */
  readonly keys: (tableName?: string, region?: string) => Promise<readonly string[] | undefined>;
  /** Writes a file into the folder of the scripts. */
  readonly file: (name: string, content: string) => void;
  /** The content of the only file in that folder whose name matches. */
  readonly content: (name: RegExp) => string;
}

/** How a documented command is run against data of its kind. */
export interface DataCase {
  readonly document: string;
  /** Words that only this command of the document has. */
  readonly words: string;
  readonly effect: string;
  readonly check: (script: string, account: Account) => Promise<void>;
}

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

const dataCase = (document: string, words: string, effect: string, check: DataCase['check']): DataCase => ({
  document,
  words,
  effect,
  check,
});

export const dataCases: readonly DataCase[] = [
  dataCase(
    'docs/plants.md',
    'aws dynamodb delete-item',
    'deletes the item of a key that list printed',
    async (script, { run, put, keys, tableName }) => {
      await put([damaged('user#alice', 'Fern\u0000a1'), fern]);
      const listed = await run('npm run -s plants -- list --from user:alice --stage "$STAGE"');
      const [, key = ''] = /^{"damaged":(.*)}$/m.exec(listed) ?? [];
      await run(script.replace('TABLE', tableName).replace('KEY', key));
      expect(await keys()).toEqual([fernKey]);
    },
  ),
  dataCase(
    'docs/plants.md',
    'npm run plants -- list --stage prod -- -a1',
    'lists the plant with an id that begins with a dash',
    async (script, { run, put }) => {
      await put([plant('user#alice', 'Aloe', '-a1'), fern]);
      expect(await run(script.replace('npm run', 'npm run -s'))).toBe(
        '{"who":"user:alice","id":"-a1","name":"Aloe"}\n',
      );
    },
  ),
  dataCase(
    runbook,
    'for log in $(aws cloudformation',
    'prints what the hooks logged',
    async (script, { run, file }) => {
      const log =
        '--log-group-name /aws/cloudformation/PlantStore-prod/PreTrafficListLog --log-stream-name s';
      const message = '{"message":{"event":"version-refused","problem":"not-an-empty-list"}}';
      file('events.json', JSON.stringify([{ timestamp: Date.now(), message }]));
      await run(
        `aws logs create-log-stream ${log} && aws logs put-log-events ${log} --log-events file://events.json`,
      );
      expect(await run(script)).toContain(message);
    },
  ),
  dataCase(
    runbook,
    'npm run -s plants -- list --stage "$STAGE" | sed',
    'prints the keys of damaged items, and nothing else',
    async (script, { run, put }) => {
      await put([damaged('user#bob', 'x'), plant('user#alice', '{"damaged":', 'a3'), fern]);
      expect(await run(script)).toBe('{"damaged":{"principal":{"S":"user#bob"},"sortKey":{"S":"x"}}}\n');
    },
  ),
  dataCase(
    runbook,
    'aws dynamodb delete-item',
    'deletes the damaged item and prints it',
    async (script, { run, put, keys }) => {
      await put([{ ...damaged('user#alice', 'Fern\u0000a1'), name: { N: '5' } }, fern]);
      expect(JSON.parse(await run(script))).toMatchObject({ Attributes: { name: { N: '5' } } });
      expect(await keys()).toEqual([fernKey]);
    },
  ),
  dataCase(
    runbook,
    'npm run -s plants -- list --from user:SUB',
    'saves the plants of a user, deletes them, and leaves those of others',
    async (script, { run, put, keys, content }) => {
      await put([fern, plant('group#alice', 'Rose', 'r')]);
      await run(script.replaceAll('SUB', 'alice'));
      expect(await keys()).toEqual(['group#alice Rose\u0000r']);
      expect(content(/^revoked-\d+\.ndjson$/)).toBe('{"id":"a2","name":"Fern"}\n');
    },
  ),
  dataCase(
    runbook,
    'aws dynamodb restore-table-to-point-in-time',
    'restores the table under another name',
    async (script, { run, put, keys, tableName }) => {
      await put([fern]);
      await run(script);
      expect(await keys(`${tableName}-restored`)).toEqual([fernKey]);
    },
  ),
  dataCase(
    runbook,
    'npm run -s plants -- list --from group:gardeners --table "$TABLE-restored"',
    'copies the plants of a group back, and deletes the restored table',
    async (script, { run, put, keys, tableName }) => {
      await put([plant('group#gardeners', 'Rose', 'r'), fern], await restored(run, tableName));
      await put([plant('group#gardeners', 'Wrong', 'w'), plant('user#alice', 'Kept', 'k')]);
      await run(script);
      expect(await keys()).toEqual(['group#gardeners Rose\u0000r', 'user#alice Kept\u0000k']);
      expect(await keys(`${tableName}-restored`)).toBeUndefined();
    },
  ),
  dataCase(
    runbook,
    'aws dynamodb update-table --table-name "$TABLE-restored" --deletion-protection-enabled',
    'protects the restored table',
    async (script, { run, keys, tableName }) => {
      const name = await restored(run, tableName);
      await run(script);
      await expect(run(`aws dynamodb delete-table --table-name ${name}`)).rejects.toThrow('protected');
      expect(await keys(name)).toEqual([]);
      expect(await run(`aws dynamodb describe-continuous-backups --table-name ${name}`)).toMatch(
        /"PointInTimeRecoveryStatus": "ENABLED"/,
      );
    },
  ),
  dataCase(
    runbook,
    'BACKUP=$(aws dynamodb list-backups',
    'restores a deleted table from its newest backup',
    async (script, { run, put, keys }) => {
      const name = '--table-name "$TABLE"';
      await run(`aws dynamodb create-backup ${name} --backup-name older`);
      await put([fern]);
      await run(`aws dynamodb create-backup ${name} --backup-name newer`);
      await run(`aws dynamodb update-table ${name} --no-deletion-protection-enabled`);
      await run(`aws dynamodb delete-table ${name}`);
      // The emulator makes no backup of its own when a table is deleted.
      await run(script.replace('--backup-type SYSTEM', '--backup-type USER'));
      expect(await keys()).toEqual([fernKey]);
    },
  ),
  dataCase(
    runbook,
    'export STAGE=prod AWS_REGION=eu-west-1',
    'loads the plants of a file into the stack of another Region',
    async (script, { run, file, keys, tableName }) => {
      file('plants.csv', 'id,name\nr,Rose\n');
      await run(script);
      expect(await keys(undefined, 'eu-west-1')).toEqual(['group#gardeners Rose\u0000r']);
      expect(await keys(tableName)).toEqual([]);
    },
  ),
  dataCase(
    runbook,
    'LOGS=$(resources Logs::LogGroup)',
    'deletes the stack, its table and its logs',
    async (script, { run, put, keys }) => {
      await put([fern]);
      await run(script);
      expect(await keys()).toBeUndefined();
      expect(await run('aws logs describe-log-groups --query "length(logGroups)"')).toBe('0\n');
      await expect(run('aws cloudformation describe-stacks --stack-name PlantStore-prod')).rejects.toThrow();
    },
  ),
];

/** Restores the table under another name, and returns the name. */
const restored = async (run: Account['run'], tableName: string): Promise<string> => {
  const name = `${tableName}-restored`;
  const source = '--source-table-name "$TABLE" --use-latest-restorable-time';
  await run(`aws dynamodb restore-table-to-point-in-time ${source} --target-table-name ${name}`);
  return name;
};

/** Documented commands that are not among these cases: words of each, and why. */
export const runElsewhere: readonly Pick<DataCase, 'document' | 'words' | 'effect'>[] = [
  { document: 'docs/decisions.md', words: 'list --from', effect: 'is the beginning of a command' },
  {
    document: 'docs/plants.md',
    words: 'import plants.csv --to user:alice',
    effect: 'is run by the suite plants',
  },
];
