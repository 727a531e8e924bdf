import { idIn, sameItem, sameTable, type Table } from './items.ts';
import { acceptedRows, type Outcome } from './model.ts';
import type { Ended } from './run-command.ts';
import type { Command, Item } from './steps.ts';

/** What two commands that ran at once did. */
export interface Both {
  readonly commands: readonly [Command, Command];
  readonly ended: readonly [Ended, Ended];
  readonly before: Table;
  readonly actual: Table;
  readonly outcomeOf: (from: Table, command: Command) => Outcome;
}

/** A state that the two commands may leave, and how each ends then; undefined: as it likes. */
interface Possibility {
  readonly table: Table;
  readonly outcomes: readonly [Outcome | undefined, Outcome | undefined];
}

/**
 * Compares two commands that ran at once with the model: they did what they do one after the other, or one of them said
 * that another one was at work.
 * @returns the commands that asked to be run again, because the table is in neither state
 * @throws {Error} when neither is true
 */
export const commandsToRepeat = (both: Both): readonly Command[] => {
  const { commands, ended, actual } = both;
  const possible = possibilities(both);
  const fits = ({ table, outcomes }: Possibility): boolean =>
    sameTable(table, actual) && outcomes.every((outcome, index) => endsAs(outcome, ended[index]));
  if (possible.some(fits)) return [];
  const again = commands.filter((_, index) => saysMeanwhile(ended[index]));
  const isExplained = [
    ...new Set([
      ...both.before.keys(),
      ...possible.flatMap(({ table }) => [...table.keys()]),
      ...actual.keys(),
    ]),
  ].every((key) =>
    [both.before, ...possible.map(({ table }) => table)].some(
      (table) =>
        sameItem(table.get(key), actual.get(key)) || sameItem(writtenAnew(table.get(key)), actual.get(key)),
    ),
  );
  if (again.length > 0 && isExplained) return again;
  throw new Error(
    [
      'Two commands at once did neither what one after the other does, nor did one say so:',
      ...ended.map(({ exitCode, messages }) => `exit code ${String(exitCode)}: ${messages.trim()}`),
      `before: ${JSON.stringify([...both.before.values()])}`,
      `after: ${JSON.stringify([...actual.values()])}`,
    ].join('\n'),
  );
};

/** A command that puts an item as it is gives it its place in the index. */
const writtenAnew = (item: Item | undefined): Item | undefined => item && { ...item, plantId: idIn(item) };

const possibilities = ({ commands: [first, second], before, outcomeOf }: Both): readonly Possibility[] => {
  const inOrder = (one: Command, then: Command): readonly [Table, Outcome, Outcome] => {
    const a = outcomeOf(before, one);
    const b = outcomeOf(a.table, then);
    return [b.table, a, b];
  };
  const [forwards, a, b] = inOrder(first, second);
  const [backwards, c, d] = inOrder(second, first);
  // A command may refuse what it finds while the other one is at work.
  return [
    { table: forwards, outcomes: [a, b] },
    { table: backwards, outcomes: [d, c] },
    { table: a.table, outcomes: [a, refused(before)] },
    { table: c.table, outcomes: [refused(before), c] },
    ...between(first, second, before, outcomeOf).map(([table, outcome]): Possibility => ({
      table,
      outcomes: [undefined, outcome],
    })),
    ...between(second, first, before, outcomeOf).map(([table, outcome]): Possibility => ({
      table,
      outcomes: [outcome, undefined],
    })),
  ];
};

/** An import without --replace loads one row after the other, in any order. */
const between = (
  importing: Command,
  other: Command,
  before: Table,
  outcomeOf: Both['outcomeOf'],
): readonly (readonly [Table, Outcome])[] => {
  if (importing.run !== 'import' || importing.replace || importing.dryRun) return [];
  const { accepted } = acceptedRows(importing.rows, importing.strict);
  return Array.from({ length: 2 ** accepted.length }, (_, subset) => {
    const [early, late] = [1, 0].map((bit) =>
      accepted.filter((__, index) => ((subset >> index) & 1) === bit),
    );
    const part = (rows = accepted): Command => ({ ...importing, rows });
    const outcome = outcomeOf(outcomeOf(before, part(early)).table, other);
    return [outcomeOf(outcome.table, part(late)).table, outcome] as const;
  });
};

const refused = (table: Table): Outcome => ({ table, exitCode: 1, says: '', offers: 0, lines: [] });

/** Whether a command noticed another one. */
export const saysMeanwhile = (ended: Ended | undefined): boolean =>
  ended?.exitCode === 1 && ended.messages.includes('meanwhile');

/** Deleting what another command deleted is no failure, and what `check` found is that of a moment. */
const endsAs = (outcome: Outcome | undefined, ended: Ended | undefined): boolean =>
  outcome === undefined ||
  outcome.exitCode === ended?.exitCode ||
  saysMeanwhile(ended) ||
  outcome.says.startsWith('There is no plant') ||
  outcome.says.endsWith('items');
