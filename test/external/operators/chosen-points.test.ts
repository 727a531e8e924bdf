import { beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '../../../table/principal.ts';
import { runHistory } from './history.ts';
import { openStore, type Store } from './real-tables.ts';
import type { Command, Step } from './steps.ts';
import { stores } from './stores.ts';

const ann = 'user#ann';
const bob = 'user#bob';

const put = (principal: Principal, name: string, tag?: string, table: 'A' | 'B' = 'A'): Step => ({
  step: 'put',
  table,
  item: { principal, sortKey: `${name}\0a`, name, tag, plantId: 'a' },
});
const grant = (from: Principal | undefined, to: Principal): Command => ({ run: 'grant', id: 'a', from, to });
const remove: Command = { run: 'remove', id: 'a' };
const importing = (to: Principal, name: string, replace = false): Command => ({
  run: 'import',
  rows: [{ id: 'a', name, tag: 'new' }],
  to,
  replace,
  strict: false,
  dryRun: false,
});
const restore: Command = { run: 'restore', from: 'the other table', dryRun: false, allowEmpty: false };

/** Two commands of which the first must notice the second one, depending on when it runs. */
const cases: readonly {
  readonly name: string;
  readonly before: readonly Step[];
  readonly first: Command;
  readonly second: Command;
}[] = [
  {
    name: 'a grant behind which the plant is removed',
    before: [put(ann, 'Rose')],
    first: grant(undefined, bob),
    second: remove,
  },
  {
    name: 'a grant behind which its plant gets another tag',
    before: [put(ann, 'Rose', 'old'), put(bob, 'Rose', 'older')],
    first: grant(ann, bob),
    second: grant(bob, ann),
  },
  {
    name: 'a grant behind which its target gets another plant with the id',
    before: [put(ann, 'Rose'), put(bob, 'Rosa')],
    first: grant(ann, 'group#ann'),
    second: grant(bob, 'group#ann'),
  },
  {
    name: 'a grant to whom has the plant, behind which it is removed',
    before: [put(ann, 'Rose')],
    first: grant(undefined, ann),
    second: remove,
  },
  {
    name: 'a grant behind which its target gets the plant with another tag',
    before: [put(ann, 'Rose')],
    first: grant(undefined, bob),
    second: importing(bob, 'Rose'),
  },
  {
    name: 'a remove behind which the plant is granted',
    before: [put(ann, 'Rose')],
    first: remove,
    second: grant(undefined, bob),
  },
  {
    name: 'a remove behind which the plant is imported',
    before: [put(ann, 'Rose')],
    first: remove,
    second: importing(bob, 'Rose'),
  },
  {
    name: 'a revoke --all behind which a plant is imported',
    before: [put(ann, 'Rose')],
    first: { run: 'revoke --all', from: ann },
    second: importing(ann, 'Lily'),
  },
  {
    name: 'an import --replace behind which a plant is imported',
    before: [put(ann, 'Rose')],
    first: importing(ann, 'Rosa', true),
    second: importing(ann, 'Lily'),
  },
  {
    name: 'a restore behind which a plant is imported',
    before: [put(ann, 'Rose', 'old'), put(ann, 'Rose', 'wanted', 'B')],
    first: restore,
    second: importing(bob, 'Lily'),
  },
  {
    name: 'a restore behind which the plant is removed',
    before: [
      put(ann, 'Rose'),
      put(bob, 'Rose', 'old'),
      put(ann, 'Rose', undefined, 'B'),
      put(bob, 'Rose', undefined, 'B'),
    ],
    first: restore,
    second: { ...remove, name: 'Rose' },
  },
];

/** More requests than these commands make. */
const points = Array.from({ length: 10 }, (_, index) => index);

describe.each(stores)('commands on $store', ({ start }) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await start());
    return () => store.close();
  });

  it.each(cases)(
    '$name: one says so, or both do what one after the other does',
    async ({ before, first, second }) => {
      const counted: string[] = [];
      for (const point of points) {
        const steps: readonly Step[] = [...before, { step: 'two', table: 'A', first, second, before: point }];
        const difference = await runHistory(store, steps, (kind) => counted.push(kind));
        expect(difference?.error, `before request ${String(point)}`).toBeUndefined();
      }
      expect(counted).toContain('two at once: one said so');
    },
  );

  it('a remove leaves alone what the index has under another id', async () => {
    const steps: readonly Step[] = [
      { step: 'put', table: 'A', item: { principal: ann, sortKey: 'Rose\0b', name: 'Rose', plantId: 'a' } },
      { step: 'one', table: 'A', command: remove },
    ];
    expect(await runHistory(store, steps)).toBeUndefined();
  });
});
