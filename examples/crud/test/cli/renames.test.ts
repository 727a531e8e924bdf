// What the command line does because the sort key is the id alone: another name is the same item.
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { itemOf } from '../../table/item.ts';
import { itemKey } from '../../table/keys.ts';
import type { Principal } from '../../table/principal.ts';
import { plantWith } from '../support/table/field-samples.ts';
import { recordedCommands, testTable } from './plants-command.ts';

const store = await testTable();
const { said, load, listed } = recordedCommands(store);

/** Each test has a principal of its own. */
let alice: Principal;
beforeEach(() => {
  alice = `user#alice#${randomUUID()}`;
});

const rose = plantWith({ id: 'r1', name: 'Rose', tag: 'red' });
const aloe = plantWith({ id: 'a1', name: 'Aloe' });

it.each(['Rosa', 'Z'])('an import changes the name of a plant to %s, and adds no item', async (name) => {
  await load(alice, [rose, aloe]);
  await load(alice, [{ ...rose, name }]);
  expect(said.at(-1)).toMatch(/: 0 added, 1 changed, 0 removed, 0 unchanged\.$/);
  expect(await listed(alice)).toEqual([aloe, { ...rose, name }]);
});

it('an import of the same plants keeps the version and the request of an item', async () => {
  const changed = { version: { S: 'changed' }, request: { S: `request#${alice}` }, attempt: { S: 'a' } };
  await store.put([{ ...itemOf(alice, rose), ...changed }]);
  const before = await store.content();
  await load(alice, [rose]);
  expect(said.at(-1)).toMatch(/: 0 added, 0 changed, 0 removed, 1 unchanged\.$/);
  expect(await store.content()).toEqual(before);
});

it('repairs a damaged item with the id of a row, and removes other items only with --replace', async () => {
  const other = itemKey(alice, 'o1');
  await store.put([{ ...itemOf(alice, rose), tag: { N: '5' } }, itemKey(alice, 'a1'), other]);
  await load(alice, [rose, aloe]);
  expect(await listed(alice)).toEqual([aloe, { damaged: other }, rose]);
  await load(alice, [rose, aloe], { replace: true });
  expect(said.at(-1)).toMatch(/: 0 added, 0 changed, 1 removed, 2 unchanged\.$/);
  expect(await listed(alice)).toEqual([aloe, rose]);
});

it.each([
  ['a/b', 'has a slash'],
  ['..', 'is . or ..'],
])('refuses a row with the id %s, because it %s, so it cannot be in a path', async (id, problem) => {
  await expect(load(alice, [{ ...rose, id }])).rejects.toThrow(/^1 bad row/);
  expect(said.at(-1)).toContain(`: id ${problem}, so it cannot be in a path.`);
});
