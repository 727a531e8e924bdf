import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { grant, list, revoke } from '../../cli/commands.ts';
import { itemOf } from '../../table/item.ts';
import type { IdentifiedPlant } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';
import type { Item } from '../contract/target.ts';
import { plantWith } from '../support/table/field-samples.ts';
import { key } from '../support/table/plants.ts';
import { recordedCommands, testTable } from './plants-command.ts';

const store = await testTable();
const { output, said, printed, load, listed } = recordedCommands(store);

/** Each test has principals of its own. */
let alice: Principal;
let bob: Principal;
beforeEach(() => {
  alice = `user#alice#${randomUUID()}`;
  bob = `group#bob-${randomUUID()}`;
});

const who = (principal: Principal): string => principal.replace('#', ':');
const withoutPlantId = (plant: IdentifiedPlant): Item =>
  Object.fromEntries(Object.entries(itemOf(alice, plant)).filter(([name]) => name !== 'plantId'));

const rose = plantWith({ id: 'r1', name: 'Rose', tag: 'red' });
const aloe = plantWith({ id: 'a1', name: 'Aloe' });

// model.test.ts checks everyone's plants after adding, renaming, --replace, grant and revoke.
describe('import', () => {
  it('adds plants, which list prints in name order, and changes nothing when it runs again', async () => {
    await load(alice, [rose, aloe]);
    expect(said).toEqual([`${who(alice)}: 2 added, 0 changed, 0 removed, 0 unchanged.`]);
    expect(await listed(alice)).toEqual([aloe, rose]);
    await load(alice, [aloe, rose], { replace: true });
    expect(said.at(-1)).toBe(`${who(alice)}: 0 added, 0 changed, 0 removed, 2 unchanged.`);
  });

  it('writes nothing with --dry-run', async () => {
    const plants = [aloe, plantWith({ id: 'b1', name: 'Bracken' }), rose];
    await load(alice, plants);
    const other = plantWith({ id: 'f1', name: 'Fern' });
    await load(alice, [aloe, other, { ...rose, tag: 'white' }], { replace: true, dryRun: true });
    expect(said.at(-1)).toMatch(/, dry run: 1 added, 1 changed, 1 removed, 1 unchanged\.$/);
    expect(await listed(alice)).toEqual(plants);
  });

  it('loads nothing when a row is bad; with --skip-bad it loads the others and still fails', async () => {
    await expect(load(alice, [rose, { id: 'x' }])).rejects.toThrow(
      '1 bad row: nothing was loaded. Correct the file, or load the other rows with --skip-bad.',
    );
    expect(await listed(alice)).toEqual([]);
    await expect(load(alice, [rose, { id: 'x' }], { skipBad: true })).rejects.toThrow('Skipped 1 bad row.');
    expect(await listed(alice)).toEqual([rose]);
  });

  it('shows 20 bad rows, and counts all', async () => {
    await expect(load(alice, Array(25).fill({ ...rose, name: null }))).rejects.toThrow('25 bad rows');
    expect([said.length, said.at(-1)]).toEqual([
      20,
      expect.stringMatching(/rows.json, element 20: name is missing\.$/),
    ]);
  });

  it.each([
    ['a bad row', [{ id: 'x' }]],
    ['a damaged item', [aloe, { damaged: {} }]],
    ['no rows', []],
  ])('changes nothing with --replace and %s', async (_, rows) => {
    await load(alice, [rose]);
    await expect(load(alice, rows, { replace: true })).rejects.toThrow(/nothing was/);
    expect(await listed(alice)).toEqual([rose]);
  });

  it('does not advise --skip-bad with --replace, and refuses both', async () => {
    const bad = [rose, { id: 'x' }];
    await expect(load(alice, bad, { replace: true })).rejects.toThrow(
      /nothing was loaded\. Correct the file\.$/,
    );
    for (const rows of [bad, [rose]])
      await expect(load(alice, rows, { replace: true, skipBad: true })).rejects.toThrow(
        /^--skip-bad cannot be combined with --replace\.$/,
      );
    expect(await listed(alice)).toEqual([]);
  });

  it('repairs an item that the index lacks, or has under another id', async () => {
    const [lost, misplaced] = [
      { ...rose, id: randomUUID() },
      { ...aloe, id: randomUUID() },
    ];
    await store.put([withoutPlantId(lost), { ...itemOf(alice, misplaced), plantId: { S: 'other' } }]);
    await expect(list(lost.id, { table: store.name }, output)).rejects.toThrow('Found no plant with the id');
    await load(alice, [lost, misplaced]);
    await list(lost.id, { table: store.name }, output);
    await list(misplaced.id, { table: store.name }, output);
    expect(printed).toEqual([lost, misplaced].map((plant) => JSON.stringify({ who: who(alice), ...plant })));
  });
});

it('list without --from prints each item with its principal', async () => {
  await load(alice, [rose]);
  await list(undefined, { table: store.name }, output);
  expect(printed).toContain(JSON.stringify({ who: who(alice), ...rose }));
});

it('list and revoke skip the items of a partition that is neither a user’s nor a group’s', async () => {
  const plant = { ...rose, id: randomUUID() };
  const others = ['request#1', 'users#alice', 'user'].map((principal) => ({
    ...itemOf(alice, plant),
    principal: { S: principal },
  }));
  await load(alice, [plant]);
  await store.put(others);
  const line = JSON.stringify({ who: who(alice), ...plant });
  await list(undefined, { table: store.name }, output);
  expect(printed.filter((printedLine) => printedLine.includes(plant.id))).toEqual([line]);
  printed.length = 0;
  await list(plant.id, { table: store.name }, output);
  await revoke(plant.id, { table: store.name, from: 'everyone' }, output);
  expect(printed).toEqual([line, line]);
  const left = (await store.content()).filter((item) => item.includes(plant.id));
  expect(left).toHaveLength(others.length);
});

it.each([
  ['list --from', () => list('', { table: store.name, from: alice }, output)],
  ['list without --from', () => list('', { table: store.name }, output)],
  ['grant', () => grant('', { table: store.name, from: alice, to: bob }, output)],
])('%s refuses an empty id, as of a variable that is not set', async (_, command) => {
  await expect(command()).rejects.toThrow(/^The id is empty/);
});

describe('grant', () => {
  it('finds a plant that the index lacks', async () => {
    await store.put([withoutPlantId(rose)]);
    await grant('r1', { table: store.name, from: alice, to: bob }, output);
    expect(await listed(bob)).toEqual([rose]);
  });

  it.each([
    ['is missing', [], 'Found no plant with the id r1'],
    ['is damaged', [key('user#x', 'Rose', 'r1')], 'Found no plant with'],
  ])('changes nothing when the plant %s', async (_, items, message) => {
    await store.put(items.map((item) => ({ ...item, principal: { S: alice } })));
    await load(bob, [aloe]);
    await expect(grant('r1', { table: store.name, from: alice, to: bob }, output)).rejects.toThrow(message);
    expect(await listed(bob)).toEqual([aloe]);
  });
});

// test/suites/plants/output.test.ts checks that revoke deletes nothing that it could not print.
describe('revoke', () => {
  it('deletes and prints every item of a principal with --all, damaged ones too', async () => {
    await load(alice, [rose]);
    await store.put([{ principal: { S: alice }, sortKey: { S: 'Aloe' } }]);
    await revoke(undefined, { table: store.name, from: alice, all: true, dryRun: true }, output);
    const expected = await listed(alice);
    expect(expected).toHaveLength(2);
    await revoke(undefined, { table: store.name, from: alice, all: true }, output);
    expect(printed.slice(2).map((line): unknown => JSON.parse(line))).toEqual(expected);
    expect(await listed(alice)).toEqual([]);
    expect(said).toContain('2 items revoked.');
  });

  it.each([
    ['neither an id nor --all', undefined, {}, 'either the id of a plant or --all'],
    ['an empty id, as of a variable that is not set', '', {}, 'either the id of a plant or --all'],
    ['both an id and --all', 'r1', { all: true }, 'either the id of a plant or --all'],
    ['--all and --from everyone', undefined, { all: true, from: 'everyone' as const }, 'not with everyone'],
  ])('refuses a call with %s', async (_, id, options, message) => {
    await expect(revoke(id, { table: store.name, from: alice, ...options }, output)).rejects.toThrow(message);
  });
});
