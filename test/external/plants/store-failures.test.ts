import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { itemOf } from '../../../table/item.ts';
import { credentials, dynamoDbTable, region } from '../../support/dynamodb-table.ts';
import { ndjson } from '../../support/generated-plants.ts';
import { plants, type TestTable, testTable } from '../../support/plants-command.ts';
import { type StoreFault, withoutWriteAccess, withWatchedStore } from '../../support/store-proxy.ts';
import { contentOf } from '../../support/table-content.ts';

let table: TestTable;
let source: string;
let file: string;
const aloe = { id: '1', name: 'Aloe' };
const notIndexed = { principal: { S: 'user#alice' }, sortKey: { S: 'Basil\u00002' }, name: { S: 'Basil' } };
beforeAll(async () => {
  table = await testTable();
  await table.put([itemOf('user#alice', aloe), itemOf('user#bob', aloe), notIndexed]);
  source = `source-${randomUUID()}`;
  const other = dynamoDbTable(table.endpoint, source);
  await other.create();
  await other.put([itemOf('user#carol', aloe)]);
  other.close();
  file = join(table.folder, 'one.ndjson');
  writeFileSync(file, ndjson([{ id: '3', name: 'Clover' }]));
});
afterAll(() => {
  table.close();
});

/** Every command that reads or writes a table. */
const commands = (): Readonly<Record<string, readonly string[]>> => ({
  import: ['import', file, '--to', 'user:alice'],
  'import --replace': ['import', file, '--to', 'user:alice', '--replace'],
  export: ['export', '--from', 'user:alice'],
  list: ['list'],
  'list --from': ['list', '--from', 'user:alice'],
  who: ['who', '1'],
  grant: ['grant', '1', '--to', 'user:carol'],
  'grant --from': ['grant', '1', '--to', 'user:carol', '--from', 'user:alice'],
  revoke: ['revoke', '1', '--from', 'user:alice'],
  'revoke --all': ['revoke', '--all', '--from', 'user:alice'],
  remove: ['remove', '1'],
  check: ['check', '--repair'],
  restore: ['restore', '--from-table', source],
});
const writing = [
  'import',
  'import --replace',
  'grant',
  'revoke',
  'revoke --all',
  'remove',
  'check',
  'restore',
];
const names = [...writing, 'export', 'list', 'list --from', 'who', 'grant --from'];
const run = (name: string, options: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  plants([...(commands()[name] ?? []), ...options], { env });
const behind = <Result>(fault: StoreFault, use: (options: readonly string[]) => Promise<Result>) =>
  withWatchedStore(table.endpoint, fault, ({ endpoint }) =>
    use(['--table', table.name, '--endpoint', endpoint]),
  );

describe('in a table of another shape', () => {
  const otherName = `orders-${randomUUID()}`;
  beforeAll(async () => {
    const store = new DynamoDBClient({ endpoint: table.endpoint, region, credentials });
    await store.send(
      new CreateTableCommand({
        TableName: otherName,
        KeySchema: [{ AttributeName: 'order', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'order', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    store.destroy();
    const orders = dynamoDbTable(table.endpoint, otherName);
    await orders.put([{ order: { S: '1' }, principal: { S: 'user#alice' } }]);
    orders.close();
  });

  it.for(names)('%s says so in one line and changes nothing', async (name) => {
    const before = await contentOf(table.endpoint, otherName);
    const { code, messages } = await run(name, ['--table', otherName, '--endpoint', table.endpoint]);
    expect({ code, messages }).toEqual({
      code: 1,
      messages: [expect.stringMatching(/not a table of plants\b|no index by-plant\b/)],
    });
    expect(await contentOf(table.endpoint, otherName)).toEqual(before);
  });
});

describe('without the right to write', () => {
  it.for(writing)('%s says so in one line and changes nothing', async (name) => {
    const before = await table.content();
    await behind(withoutWriteAccess, async (options) => {
      const { code, messages } = await run(name, options);
      expect(code).toBe(1);
      expect(messages.at(-1)).toMatch(/\(AccessDeniedException\)/);
      expect(messages.filter((line) => !line.includes(' missing, '))).toHaveLength(1);
    });
    expect(await table.content()).toEqual(before);
  });
});

// The same waits, but only the client's timeouts take time.
const fastTimers = `
  import timers from 'node:timers/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { setTimeout } = timers;
  timers.setTimeout = (ms, ...rest) => setTimeout(0, ...rest);
  syncBuiltinESMExports();
  const { setTimeout: soon } = globalThis;
  globalThis.setTimeout = (task, ms, ...rest) => soon(task, ms === 3000 || ms === 5000 ? ms : 0, ...rest);
`;
const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fastTimers)}` };
const batchOf = z.object({ RequestItems: z.unknown() });

describe('while the store throttles', () => {
  it.for(names)('%s waits, and then does its work', async (name) => {
    await table.put([itemOf('user#alice', aloe), itemOf('user#bob', aloe), notIndexed]);
    // Each operation is refused as often as in a minute of waits.
    const refusals = new Map<string, number>();
    const fault: StoreFault = {
      refuse: ({ operation }) => {
        const refused = refusals.get(operation) ?? 0;
        refusals.set(operation, refused + 1);
        return refused < 40 ? 'ThrottlingException' : undefined;
      },
    };
    const { code, messages } = await behind(fault, (options) => run(name, options, env));
    expect({ code, messages }).toMatchObject({ code: 0 });
  });

  it('for many minutes, it is said in one line, and nothing is changed', async () => {
    const before = await table.content();
    const { code, messages } = await behind({ refuse: () => 'ThrottlingException' }, (options) =>
      run('remove', options, env),
    );
    expect({ code, messages }).toEqual({
      code: 1,
      messages: [expect.stringMatching(/throttles for minutes/)],
    });
    expect(await table.content()).toEqual(before);
  });
});

describe('while the store reads nothing of a batch', () => {
  it('grant waits, and says after minutes in one line that it throttles', async () => {
    const unread: StoreFault = {
      respond: ({ operation, body }) =>
        operation === 'BatchGetItem'
          ? { Responses: {}, UnprocessedKeys: batchOf.parse(JSON.parse(body)).RequestItems }
          : undefined,
    };
    await table.put([itemOf('user#alice', aloe)]);
    const { code, messages } = await behind(unread, (options) => run('grant', options, env));
    expect({ code, messages }).toEqual({
      code: 1,
      messages: [expect.stringMatching(/throttles for minutes/)],
    });
  });
});

describe('behind a remove', () => {
  it('an import that puts the same plant is told; run again, the plant is gone', async () => {
    await table.put([itemOf('user#alice', aloe), itemOf('user#bob', aloe)]);
    const puts = [[itemOf('user#bob', aloe)]];
    let isRemoved = false;
    const fault: StoreFault = {
      before: async ({ operation }) => {
        if (isRemoved) await table.put(puts.shift() ?? []);
        isRemoved ||= operation === 'BatchWriteItem';
      },
    };
    const { code, messages } = await behind(fault, (options) => run('remove', options));
    expect({ code, messages }).toEqual({
      code: 1,
      messages: [expect.stringMatching(/put again meanwhile, into 1 partition\b.*the same command again/)],
    });
    expect((await run('remove', table.options)).code).toBe(0);
    expect((await table.content()).filter((line) => line.includes('Aloe'))).toEqual([]);
  });
});
