import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredItem } from '../../../cli/table/grant.ts';
import { itemOf } from '../../../table/item.ts';
import { type DynamoDbTable, dynamoDbTable } from '../../support/dynamodb-table.ts';
import { generatedPlants } from '../../support/generated-plants.ts';
import { killAtRandomMoments } from '../../support/killed-command.ts';
import { plants, startPlants, type TestTable, testTable } from '../../support/plants-command.ts';
import { withWatchedStore } from '../../support/store-proxy.ts';
import { contentOf } from '../../support/table-content.ts';

let table: TestTable;
const others: DynamoDbTable[] = [];
beforeAll(async () => {
  table = await testTable();
});
afterAll(() => {
  for (const other of others) other.close();
  table.close();
});

/** A table beside the one that is restored, with these items. @returns its name */
const otherTable = async (items: readonly StoredItem[], shape = { hasIndex: true }): Promise<string> => {
  const name = `restored-${randomUUID()}`;
  const other = dynamoDbTable(table.endpoint, name);
  others.push(other);
  await other.create(shape);
  await other.put(items);
  return name;
};
const restore = (source: string, ...options: readonly string[]) =>
  plants(['restore', '--from-table', source, ...options, ...table.options]);
const ended = (code: number, ...messages: readonly RegExp[]) => ({
  code,
  output: '',
  messages: messages.map((each): unknown => expect.stringMatching(each)),
});
const nothingMeanwhile = /^Nothing else was written meanwhile\b/;

const kept = itemOf('user#alice', { id: '1', name: 'Aloe', tag: 'fern' });
const changed = itemOf('user#alice', { id: '2', name: 'Basil', tag: 'herb' });
const extra = itemOf('user#alice', { id: '3', name: 'Clover' });
const missing = itemOf('group#gardeners', { id: '4', name: 'Dill' });
const extraOwner = itemOf('user#new', { id: '5', name: 'Elder' });
/** What no command of this program writes. */
const odd = {
  bytes: { B: Buffer.from([0, 255, 10]) },
  numbers: { NS: ['1', '-2.5', '1e100'] },
  deep: {
    M: { list: { L: [{ BOOL: true }, { NULL: true }, { BS: [Buffer.from('b'), Buffer.from('a')] }] } },
  },
  'a name.with-signs #:': { SS: ['x', 'y'] },
};
const withOdd = { ...kept, ...odd, sortKey: { S: 'Odd\u00006' }, name: { S: 'Odd' }, plantId: { S: '6' } };
const damaged = [
  { principal: { S: 'user#alice' }, sortKey: { S: 'no separator' }, ...odd },
  { principal: { S: 'user#alice' }, sortKey: { S: 'Fir\u00007' }, name: { N: '7' }, plantId: { S: 'other' } },
  { principal: { S: 'nobody' }, sortKey: { S: '\u00008' } },
];
const notIndexed = { principal: { S: 'user#bob' }, sortKey: { S: 'Ginkgo\u00009' }, name: { S: 'Ginkgo' } };

describe('plants restore', () => {
  it('counts with --dry-run, then makes the table what the other holds, then finds nothing to do', async () => {
    const source = await otherTable([kept, changed, missing, withOdd, ...damaged, notIndexed]);
    const first = { ...changed, tag: { S: 'tree' } };
    await table.put([kept, first, extra, extraOwner, { ...withOdd, numbers: { NS: ['1'] } }]);
    const before = await table.content();
    const counts = /^5 missing, 2 different, 2 extra\.$/;
    expect(await restore(source, '--dry-run')).toEqual(ended(0, counts));
    expect(await table.content()).toEqual(before);
    expect(await restore(source)).toEqual(ended(0, counts, nothingMeanwhile));

    const wanted = await otherTable([
      kept,
      changed,
      missing,
      withOdd,
      ...damaged,
      { ...notIndexed, plantId: { S: '9' } },
    ]);
    expect(await table.content()).toEqual(await contentOf(table.endpoint, wanted));
    expect((await plants(['who', '9', ...table.options])).output).toBe('user:bob\tGinkgo\n');
    expect(await restore(source)).toEqual(ended(0, /^0 missing, 0 different, 0 extra\.$/));
  });

  it('restores only the plants of --principal', async () => {
    const source = await otherTable([kept, missing]);
    await table.put([extraOwner, extra]);
    const before = (await table.content()).filter((line) => !line.includes('"user#alice"'));
    expect(await restore(source, '--principal', 'user:alice')).toMatchObject({ code: 0 });
    const after = await table.content();
    expect(after.filter((line) => !line.includes('"user#alice"'))).toEqual(before);
    expect(await table.namesOf('user#alice')).toEqual(['Aloe']);
  });

  const refusals: readonly (readonly [string, () => string | Promise<string>, readonly string[], RegExp])[] =
    [
      ['the table itself', () => table.name, [], /--from-table is the table itself\b/],
      [
        'the table itself, by its ARN',
        () => `arn:aws:dynamodb:eu-central-1:123456789012:table/${table.name}`,
        [],
        /is the table itself\b/,
      ],
      ['an empty table', () => otherTable([]), [], /has no items\b.*--allow-empty\b/],
      [
        'a table without the plants of --principal',
        () => otherTable([missing]),
        ['--principal', 'user:alice'],
        /--principal\b.*--allow-empty\b/,
      ],
      ['a table that is not there', () => 'restored-nowhere', [], /table\b.*not exist/],
    ];
  it.for(refusals)('refuses %s', async ([, source, options, message]) => {
    await table.put([kept, extra]);
    const before = await table.content();
    expect(await restore(await source(), ...options)).toEqual(ended(1, message));
    expect(await table.content()).toEqual(before);
  });

  it('deletes everything with --allow-empty', async () => {
    await table.put([kept, extra, ...damaged]);
    const source = await otherTable([missing]);
    expect(await restore(source, '--principal', 'user:alice', '--allow-empty')).toMatchObject({ code: 0 });
    expect(await table.namesOf('user#alice')).toEqual([]);
    expect(await restore(await otherTable([]), '--allow-empty')).toMatchObject({ code: 0 });
    expect(await table.content()).toEqual([]);
  });

  it('counts what was written meanwhile, which another run restores', async () => {
    const source = await otherTable([kept]);
    const meanwhile = [[extra]];
    await withWatchedStore(
      table.endpoint,
      {
        before: async ({ operation }) => {
          if (operation === 'PutItem') await table.put(meanwhile.shift() ?? []);
        },
      },
      async ({ endpoint }) => {
        const parameters = ['restore', '--from-table', source, '--table', table.name, '--endpoint', endpoint];
        const { code, messages } = await plants(parameters);
        expect([code, messages.at(-1)]).toEqual([
          1,
          expect.stringMatching(
            /^Other commands wrote meanwhile: 0 missing, 0 different, 1 extra\b.*the same command again/,
          ),
        ]);
      },
    );
    expect(await restore(source)).toEqual(ended(0, /^0 missing, 0 different, 1 extra\.$/, nothingMeanwhile));
  });

  it(
    'killed ten times at random moments and run again makes 20,000 items equal byte for byte',
    { timeout: 600_000 },
    async () => {
      const items = generatedPlants(20_000).map((plant, index) =>
        itemOf(index % 2 === 0 ? 'user#large' : `user#${String(index % 500)}`, plant),
      );
      const [same, gone, other, more] = [
        items.slice(3000),
        items.slice(0, 1000),
        items.slice(1000, 2000),
        items.slice(2000, 3000),
      ];
      const source = await otherTable([...same, ...gone, ...other]);
      await table.put([...same, ...more, ...other.map((item) => ({ ...item, tag: { S: 'other' } }))]);
      const parameters = ['restore', '--from-table', source, '--read-units', '1000000', ...table.options];
      const killed = await killAtRandomMoments(
        10,
        () => plants([...parameters, '--dry-run']),
        () => startPlants(parameters),
      );
      expect(killed).toBeGreaterThan(5);
      expect(await plants(parameters)).toMatchObject({ code: 0 });
      expect(await table.content()).toEqual(await contentOf(table.endpoint, source));
      expect(await plants(parameters)).toEqual(ended(0, /^0 missing, 0 different, 0 extra\.$/));
    },
  );
});
