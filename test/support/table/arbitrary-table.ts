import fc from 'fast-check';
import type { Principal } from '../../../table/principal.ts';
import type { Table } from './memory-plant-store.ts';
import type { Caller } from '../list-pages.ts';
import { sortKeyOf, storedPlant } from './stored-plants.ts';

const principals: readonly Principal[] = [
  'user#alice',
  'user#bob',
  'group#alice',
  'group#gardeners',
  'group#buyers',
];

// Few letters, so that names repeat and share prefixes. Byte order and JavaScript's differ on the last two.
const name = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', 'é', '水', '\uffff', '\u{1f33f}'),
  minLength: 1,
  maxLength: 3,
});

/** Each plant has its own tag, which distinguishes plants of the same name. */
const plants = fc
  .uniqueArray(fc.tuple(name, fc.constantFrom('1', '2')), { selector: (key) => key.join('/'), maxLength: 25 })
  .map((keys) => keys.map(([each, id]) => storedPlant(each, id, `${each}/${id}`)));

const damagedKey = fc.oneof(
  fc.tuple(name, fc.constantFrom('8', '9')).map(([each, id]): string => sortKeyOf(each, id)),
  name,
);
const damaged = fc
  .uniqueArray(damagedKey, { maxLength: 10 })
  .map((keys) => keys.map((sortKey) => ({ sortKey })));

/** A table of plants and damaged items, each granted to any of the principals. */
export const grants: fc.Arbitrary<{ readonly table: Table }> = fc
  .tuple(plants, damaged)
  .map((parts) => parts.flat())
  .chain((items) =>
    fc
      .array(fc.subarray([...principals]), { minLength: items.length, maxLength: items.length })
      .map((holders) => ({
        table: Object.fromEntries(
          principals.map((principal) => [
            principal,
            items.filter((_, index) => holders[index]?.includes(principal)),
          ]),
        ),
      })),
  );

/** Callers, among them some whose names resemble other callers' names and groups. */
export const callers: fc.Arbitrary<Caller> = fc.record({
  subject: fc.constantFrom('alice', 'bob', 'gardeners', 'group#gardeners', 'user#alice', 'alice#', 'carol'),
  groups: fc.uniqueArray(
    fc.constantFrom('alice', 'gardeners', 'buyers', 'bob', 'user#alice', 'group#buyers', '#'),
  ),
});

/** The `limit` of a request. */
export const limits = fc.integer({ min: 1, max: 8 });
