import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyHash } from '../../../cli/key-hash.ts';
import type { StoredItem } from '../../../cli/table/grant.ts';
import { itemOf } from '../../../table/item.ts';
import { pasted, plants, type TestTable, testTable } from '../../support/plants-command.ts';

let table: TestTable;
beforeAll(async () => {
  table = await testTable();
});
afterAll(() => {
  table.close();
});

const check = (...options: readonly string[]) => plants(['check', ...options, ...table.options]);
const linesOf = (output: string): readonly string[] => output.split('\n').filter((line) => line !== '');
const totals = (...counts: readonly number[]): string =>
  [
    `${String(counts[0])} items: ${String(counts[1])} damaged items`,
    `${String(counts[2])} items that the index misses`,
    `${String(counts[3])} items under another id in the index`,
    `${String(counts[4])} ids with several names.`,
  ]
    .join(', ')
    .replaceAll(/\b1 (item|id)s/g, '1 $1');

const hashOf = (sortKey: string): string => keyHash({ principal: '', sortKey });
const secret = 'Secret name';
const healthy = itemOf('user#good', { id: 'g1', name: secret, tag: 'fern' });
/** Every shape of damage: the sort key, the other attributes, and what tells the item. */
const damages: readonly (readonly [string, string, StoredItem, string])[] = [
  ['no separator', secret, {}, hashOf(secret)],
  [
    'no separator, all else right',
    `${secret}2`,
    { name: { S: `${secret}2` }, plantId: { S: 'd' } },
    hashOf(`${secret}2`),
  ],
  ['no id', `${secret}\u0000`, { name: { S: secret } }, hashOf(`${secret}\u0000`)],
  ['an empty name', '\u0000d1', { name: { S: '' } }, 'd1'],
  ['a name that is too long', `${secret.padEnd(901)}\u0000d2`, { name: { S: secret.padEnd(901) } }, 'd2'],
  ['a name of another type', `${secret}\u0000d3`, { name: { N: '3' } }, 'd3'],
  ['no name', `${secret}\u0000d4`, {}, 'd4'],
  ['another name than in its key', `${secret}\u0000d5`, { name: { S: 'Secret' } }, 'd5'],
  ['a tag of another type', `${secret}\u0000d6`, { name: { S: secret }, tag: { SS: ['fern'] } }, 'd6'],
  ['an id with a control character', `${secret}\u0000\u001b7`, { tag: { NULL: true } }, '\u{fffd}7'],
];
const damagedItems = damages.map(([, sortKey, attributes]) => ({
  principal: { S: "group#it's\n$(bad)" },
  sortKey: { S: sortKey },
  ...attributes,
}));
const shownPrincipal = "group:it's\u{fffd}$(bad)";

describe('plants check', () => {
  it('finds nothing in a table whose items are in order', async () => {
    await table.put([healthy, itemOf('group#good', { id: 'g1', name: secret })]);
    const { code, output, messages } = await check();
    expect({ code, output, messages }).toEqual({ code: 0, output: '', messages: [totals(2, 0, 0, 0, 0)] });
  });

  it('tells every damaged item without its name; the printed commands delete these alone', async () => {
    await table.put(damagedItems);
    const { code, output, messages } = await check();
    expect(linesOf(output).toSorted()).toEqual(
      damages.map(([, , , item]) => `${shownPrincipal}\t${item}\tdamaged`).toSorted(),
    );
    expect({ code, messages }).toEqual({ code: 1, messages: [totals(12, 10, 0, 0, 0)] });
    const shown = await check('--show');
    for (const line of linesOf(shown.output)) expect(line).toMatch(/\tdamaged\t(Secret name *2?)?$/);

    const repair = await check('--repair');
    expect(repair.code).toBe(1);
    expect(repair.output).not.toContain(secret);
    const commands = linesOf(repair.output).filter((line) => line.startsWith('npm '));
    expect(commands).toHaveLength(damages.length);
    for (const command of commands)
      expect(await pasted(command)).toMatchObject({ code: 0, messages: ['1 plant revoked.'] });
    expect(await check()).toMatchObject({ code: 0, messages: [totals(2, 0, 0, 0, 0)] });
  });

  it('repairs what the index misses or has under another id, and keeps other attributes', async () => {
    const missed = {
      principal: { S: 'user#index' },
      sortKey: { S: `${secret}\u0000i1` },
      name: { S: secret },
      colour: { M: { hex: { B: Buffer.from([0, 255]) }, parts: { NS: ['2', '1.5'] } } },
    };
    const other = {
      ...missed,
      sortKey: { S: `${secret}\u0000i2` },
      plantId: { S: 'another' },
      tag: { S: '' },
    };
    await table.put([missed, other]);
    const found = await check();
    expect(linesOf(found.output).toSorted()).toEqual([
      'user:index\ti1\tnot in the index',
      'user:index\ti2\tother id in the index',
    ]);
    expect({ code: found.code, messages: found.messages }).toEqual({
      code: 1,
      messages: [totals(4, 0, 1, 1, 0)],
    });
    expect(await check('--repair')).toMatchObject({
      code: 0,
      messages: [totals(4, 0, 1, 1, 0), '2 items repaired in the index.'],
    });
    expect(await check()).toMatchObject({ code: 0, messages: [totals(4, 0, 0, 0, 0)] });
    const before = await table.content();
    const repaired = [
      { ...missed, plantId: { S: 'i1' } },
      { ...other, plantId: { S: 'i2' } },
    ];
    await table.put(repaired);
    expect(await table.content()).toEqual(before);
    expect((await plants(['who', 'i2', ...table.options])).output).toBe(`user:index\t${secret}\n`);
    await table.remove(repaired.map(({ principal, sortKey }) => ({ principal, sortKey })));
  });

  it('tells each grant of an id with several names, and prints names only with --show', async () => {
    await table.put([
      itemOf('user#b', { id: '-s', name: `${secret} A` }),
      itemOf('user#a', { id: '-s', name: `${secret} B` }),
      itemOf('user#b', { id: '-s', name: `${secret} B` }),
    ]);
    const { code, output, messages } = await check('--repair');
    const grant = (name: string): string => `user:${name}\t-s\tseveral names`;
    const options = table.options.join(' ');
    expect(linesOf(output)).toEqual([
      grant('b'),
      `npm run plants -- who ${options} -- -s`,
      grant('a'),
      grant('b'),
    ]);
    expect({ code, messages }).toEqual({
      code: 1,
      messages: [totals(5, 0, 0, 0, 1), '0 items repaired in the index.'],
    });
    expect((await pasted(linesOf(output)[1] ?? '')).messages).toEqual(['3 grants.']);

    const shown = await check('--repair', '--show');
    const commands = linesOf(shown.output).filter((line) => line.startsWith('npm '));
    expect(linesOf(shown.output)[0]).toBe(`${grant('b')}\t${secret} A`);
    expect(commands).toEqual(
      ['A', 'B'].map((each) => `npm run plants -- remove --name '${secret} ${each}' ${options} -- -s`),
    );
    expect((await pasted(commands[0] ?? '')).code).toBe(0);
    expect(await table.namesOf('user#b')).toEqual([`${secret} B`]);
    expect((await check()).code).toBe(0);
  });
});
