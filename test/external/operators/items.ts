// What an item means, short enough to check by eye, and without the code that it tests.
import { hash } from 'node:crypto';
import { compareBytes } from '../../support/memory-plant-store.ts';
import type { Item, Row } from './steps.ts';

/** The items of a table by `keyOf`. */
export type Table = ReadonlyMap<string, Item>;

type Key = Pick<Item, 'principal' | 'sortKey'>;

export const keyOf = ({ principal, sortKey }: Key): string => JSON.stringify([principal, sortKey]);
export const nameIn = ({ sortKey }: Key): string => sortKey.split('\0')[0] ?? '';
export const idIn = ({ sortKey }: Key): string => sortKey.split('\0')[1] ?? '';
export const textOf = (principal: string): string => principal.replace('#', ':');
export const hashOf = ({ sortKey }: Pick<Key, 'sortKey'>): string => hash('sha256', sortKey).slice(0, 12);

export const isDamaged = (item: Item): boolean =>
  idIn(item) === '' ||
  item.name !== nameIn(item) ||
  item.name === '' ||
  Buffer.byteLength(item.name) > 900 ||
  typeof item.tag === 'number';
export const isIndexed = (item: Item): boolean => item.plantId === idIn(item);
export const tableOf = (items: Iterable<Item>): Table =>
  new Map(Array.from(items, (each) => [keyOf(each), each]));
export const freshItem = (principal: Item['principal'], { id, name, tag }: Required<Row>): Item => ({
  principal,
  sortKey: `${name}\0${String(id)}`,
  name,
  ...(tag !== undefined && { tag }),
  plantId: String(id),
});

/** What a user or the members of a group see. */
export const plantsOf = (table: Table, principal: string): readonly Pick<Item, 'name' | 'tag'>[] =>
  [...table.values()]
    .filter((item) => item.principal === principal && !isDamaged(item))
    .sort((a, b) => compareBytes(a.sortKey, b.sortKey))
    .map(({ name, tag }) => ({ name, ...(tag !== undefined && { tag }) }));

export const havingId = (table: Table, id: string, from?: string): readonly Item[] =>
  [...table.values()].filter(
    (item) => idIn(item) === id && (from === undefined ? isIndexed(item) : item.principal === from),
  );

/** The lines of `who`. */
export const whoHas = (table: Table, id: string): readonly string[] =>
  havingId(table, id).map((item) => `${textOf(item.principal)}\t${nameIn(item)}`);

/** An item as text: the same for the same attributes. */
export const itemText = (item: Item | undefined): string =>
  JSON.stringify(
    Object.entries(item ?? {})
      .filter(([, value]) => value !== undefined)
      .sort(),
  );
export const sameItem = (a: Item | undefined, b: Item | undefined): boolean => itemText(a) === itemText(b);
export const sameTable = (a: Table, b: Table): boolean =>
  a.size === b.size && [...a].every(([key, item]) => sameItem(item, b.get(key)));
