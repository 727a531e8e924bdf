// What the commands must do, short enough to check by eye.
import { hash } from 'node:crypto';
import {
  freshItem,
  hashOf,
  havingId,
  idIn,
  isDamaged,
  isIndexed,
  keyOf,
  nameIn,
  sameItem,
  type Table,
  tableOf,
  textOf,
} from './items.ts';
import type { Command, Item, Row } from './steps.ts';

/** What a command does. */
export interface Outcome {
  readonly table: Table;
  readonly exitCode: number;
  /** Is part of its messages. */
  readonly says: string;
  /** How many commands it prints to be pasted. */
  readonly offers: number;
  /** Its lines on standard output, in any order. */
  readonly lines: readonly string[];
}

const counted = (count: number, noun: string): string => `${String(count)} ${noun}${count === 1 ? '' : 's'}`;

/** The rows that are loaded, and how many others were read. */
export const acceptedRows = (
  rows: readonly Row[],
  isStrict: boolean,
): { readonly accepted: readonly Required<Row>[]; readonly refused: number } => {
  const accepted = new Map<string, Required<Row>>();
  let refused = 0;
  for (const { name, tag: text, ...row } of rows) {
    const tag = text === '' ? undefined : text;
    const id = row.id ?? hash('sha256', JSON.stringify([name, tag ?? null])).slice(0, 32);
    if (name !== '' && !accepted.has(id)) accepted.set(id, { id, name, tag });
    else {
      refused += 1;
      if (isStrict) break;
    }
  }
  return { accepted: [...accepted.values()], refused };
};

/** @param other the table to restore from */
export const outcomeOf = (table: Table, other: Table, command: Command): Outcome => {
  const done = (after: Iterable<Item>, says: string, exitCode = 0): Outcome => ({
    table: tableOf(after),
    exitCode,
    says,
    offers: 0,
    lines: [],
  });
  const refuse = (says: string, offers = 0): Outcome => ({ ...done(items, says, 1), offers });
  const items = [...table.values()];
  const without = (removed: readonly Item[]): readonly Item[] =>
    items.filter((each) => !removed.includes(each));
  /** The items of the one plant that is meant, or a refusal. */
  const chosen = (id: string, name?: string, from?: string): readonly Item[] | Outcome => {
    const found = havingId(table, id, from);
    const names = new Set(found.map(nameIn));
    if (names.size === 0) return refuse('There is no plant with this id');
    if (name !== undefined && !names.has(name)) return refuse('has this id and this name', names.size);
    if (name === undefined && names.size > 1) return refuse('have this id', names.size);
    return found.filter((each) => name === undefined || nameIn(each) === name);
  };

  switch (command.run) {
    case 'import': {
      const { to, replace, dryRun } = command;
      const { accepted, refused } = acceptedRows(command.rows, command.strict);
      const exitCode = refused === 0 ? 0 : 1;
      const wanted = tableOf(accepted.map((row) => freshItem(to, row)));
      if (!replace) {
        const says = `${counted(wanted.size, 'row')} ${dryRun ? 'can' : wanted.size === 1 ? 'is' : 'are'}`;
        return done(dryRun ? items : new Map([...table, ...wanted]).values(), says, exitCode);
      }
      const own = items.filter(({ principal }) => principal === to);
      const extra = refused > 0 ? [] : own.filter((each) => !wanted.has(keyOf(each)));
      const hasTag = (item: Item): boolean => !isDamaged(item) && item.tag === wanted.get(keyOf(item))?.tag;
      const common = own.filter((each) => wanted.has(keyOf(each)));
      const same = tableOf(common.filter((each) => hasTag(each) && isIndexed(each)));
      const changed = common.filter((each) => !hasTag(each)).length;
      const says = `${counted(wanted.size - common.length, 'plant')} added, ${String(changed)} changed, ${String(extra.length)} removed`;
      const after = new Map([...tableOf(without(extra)), ...wanted, ...same]);
      return done(dryRun ? items : after.values(), says, exitCode);
    }
    case 'grant': {
      const { id, to, from, name } = command;
      const found = chosen(id, name, from);
      if ('says' in found) return found;
      const own = from === undefined && table.get(keyOf({ principal: to, sortKey: found[0]?.sortKey ?? '' }));
      const sources = [...found, ...(own ? [own] : [])].filter((each) => !isDamaged(each));
      const tags = new Set(sources.map(({ tag }) => tag));
      const [source] = sources;
      if (source === undefined) return refuse('damaged');
      if (tags.size > 1) return refuse('different tags', tags.size);
      const others = havingId(table, id).filter(
        (each) => each.principal === to && each.sortKey !== source.sortKey,
      );
      if (others.length > 0) return refuse('has another plant with this id', others.length);
      const { tag } = source;
      const granted = { id, name: nameIn(source), tag: typeof tag === 'string' ? tag : undefined };
      return done(new Map([...table, ...tableOf([freshItem(to, granted)])]).values(), 'Granted.');
    }
    case 'revoke': {
      const found = chosen(command.id, command.name, command.from);
      return 'says' in found ? found : done(without(found), '1 plant revoked');
    }
    case 'revoke --all':
    case 'revoke --key': {
      const own = items.filter(({ principal }) => principal === command.from);
      if (command.run === 'revoke --all')
        return done(without(own), `${counted(own.length, 'plant')} revoked`);
      const found = own.filter(({ sortKey }) => sortKey === command.sortKey);
      return found.length === 0 ? refuse('has this key') : done(without(found), '1 plant revoked');
    }
    case 'remove': {
      const found = chosen(command.id, command.name);
      return 'says' in found
        ? found
        : done(without(found), `Removed from ${counted(found.length, 'partition')}`);
    }
    case 'check': {
      const { repair } = command;
      const damaged = items.filter(isDamaged);
      const misplaced = items.filter((each) => !isDamaged(each) && !isIndexed(each));
      const namesOf = (id: string): number =>
        new Set(items.filter((each) => idIn(each) === id).map(nameIn)).size;
      const ambiguous = items.filter((each) => idIn(each) !== '' && namesOf(idIn(each)) > 1);
      const line = (item: Item, problem: string): string =>
        [textOf(item.principal), idIn(item) || hashOf(item), problem].join('\t');
      const ids = new Set(ambiguous.map(idIn)).size;
      const left = damaged.length + ids + (repair ? 0 : misplaced.length);
      const repaired = misplaced.map((each) => ({ ...each, plantId: idIn(each) }));
      return {
        ...done(
          repair ? new Map([...table, ...tableOf(repaired)]).values() : items,
          counted(items.length, 'item'),
          left === 0 ? 0 : 1,
        ),
        offers: repair ? damaged.length + ids : 0,
        lines: [
          ...damaged.map((each) => line(each, 'damaged')),
          ...misplaced.map((each) =>
            line(each, each.plantId === undefined ? 'not in the index' : 'other id in the index'),
          ),
          ...ambiguous.map((each) => line(each, 'several names')),
        ],
      };
    }
    case 'restore': {
      const { principal, dryRun, allowEmpty } = command;
      if (command.from === 'the table itself') return refuse('is the table itself');
      const isMeant = (each: Item): boolean => principal === undefined || each.principal === principal;
      const source = [...other.values()].filter(isMeant);
      if (source.length === 0 && !allowEmpty) return refuse('has no items');
      const wanted = tableOf(
        source.map((each) =>
          isDamaged(each) || each.plantId !== undefined ? each : { ...each, plantId: idIn(each) },
        ),
      );
      const own = items.filter(isMeant);
      const common = own.filter((each) => wanted.has(keyOf(each)));
      const different = common.filter((each) => !sameItem(each, wanted.get(keyOf(each)))).length;
      const says = `${String(wanted.size - common.length)} missing, ${String(different)} different, ${String(own.length - common.length)} extra`;
      return done(dryRun ? items : [...without(own), ...wanted.values()], says);
    }
  }
};
