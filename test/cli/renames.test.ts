// What the command line does because the name is in the sort key: another name is another item.
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { grant } from '../../cli/commands.ts';
import { openPlantTable, type PlantTable } from '../../cli/plant-table.ts';
import { savePlants } from '../../cli/save-plants.ts';
import { itemOf } from '../../table/item.ts';
import { itemKey } from '../../table/keys.ts';
import type { Principal } from '../../table/principal.ts';
import { plantWith } from '../support/table/field-samples.ts';
import { key } from '../support/table/plants.ts';
import { recordedCommands, testTable } from './plants-command.ts';

const store = await testTable();
const { output, said, load, listed } = recordedCommands(store);

/** Each test has a principal of its own. */
let alice: Principal;
beforeEach(() => {
  alice = `user#alice#${randomUUID()}`;
});

const rose = plantWith({ id: 'r1', name: 'Rose', tag: 'red' });
const aloe = plantWith({ id: 'a1', name: 'Aloe' });

it('writes new and changed plants only, and deletes former names after that', async () => {
  await load(alice, [rose, aloe, plantWith({ id: 'f1', name: 'Fern' })]);
  const table = await openPlantTable({ table: store.name });
  const writes: unknown[] = [];
  const recording: PlantTable = {
    ...table,
    put: (...given) => {
      writes.push(['put', given[1].map(({ id }) => id)]);
      return table.put(...given);
    },
    delete: (...given) => {
      writes.push(['delete', given[0].map(({ id }) => id)]);
      return table.delete(...given);
    },
  };
  const others = [plantWith({ id: 'f1', name: 'Bracken' }), plantWith({ id: 'n1', name: 'New' })];
  const plants = [rose, { ...aloe, tag: 'green' }, ...others];
  await savePlants(recording, alice, new Map(plants.map((plant) => [plant.id, plant])), {}, output.say);
  expect(writes).toEqual([
    ['put', ['a1', 'f1', 'n1']],
    ['delete', ['f1']],
  ]);
});

it.each(['Rosa', 'Rosy'])(
  'completes a rename to %s that was interrupted before the deletion',
  async (name) => {
    await store.put([itemOf(alice, rose), itemOf(alice, { ...rose, name })]);
    await load(alice, [{ ...rose, name }]);
    expect(said.at(-1)).toMatch(/: 0 added, 1 changed, 0 removed, 0 unchanged\.$/);
    expect(await listed(alice)).toEqual([{ ...rose, name }]);
  },
);

it('repairs a damaged item that has the id of a row, and removes others only with --replace', async () => {
  const other = itemKey(alice, 'Other');
  const last = key(alice, 'Z');
  await store.put([{ ...itemOf(alice, rose), tag: { N: '5' } }, key(alice, 'Aloe', 'a1'), other, last]);
  await load(alice, [rose, { ...aloe, name: 'Aloes' }]);
  expect(await listed(alice)).toEqual([
    { ...aloe, name: 'Aloes' },
    { damaged: other },
    rose,
    { damaged: last },
  ]);
  await load(alice, [rose, { ...aloe, name: 'Aloes' }], { replace: true });
  expect(said.at(-1)).toMatch(/ 2 removed/);
  expect(await listed(alice)).toEqual([{ ...aloe, name: 'Aloes' }, rose]);
});

it('grant changes nothing when the plant has two names', async () => {
  await store.put([itemOf(alice, rose), itemOf(alice, { ...rose, name: 'Rosa' })]);
  const to = `group#${randomUUID()}` as const;
  await expect(grant('r1', { table: store.name, from: alice, to }, output)).rejects.toThrow('several names');
  expect(await store.list(to)).toEqual([]);
});

it('refuses a row whose id and name are together too long for a sort key', async () => {
  const row = plantWith({ id: 'i'.repeat(124), name: 'x'.repeat(900) });
  await expect(load(alice, [row])).rejects.toThrow(/^1 bad row/);
  expect(said.at(-1)).toMatch(/id and name have together more than 1023 bytes of UTF-8\.$/);
});
