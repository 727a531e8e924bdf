import { strict as assert } from 'node:assert';
import { principals } from './arbitrary-steps.ts';
import { idIn, itemText, plantsOf, type Table, tableOf, whoHas } from './items.ts';
import { type Outcome, outcomeOf } from './model.ts';
import { commandsToRepeat, saysMeanwhile } from './two-commands.ts';
import type { Difference } from '../history/shrink.ts';
import type { Store } from './real-tables.ts';
import { type Ended, runCommand, runWho } from './run-command.ts';
import { type Command, type Step, type TableName, type TwoStep } from './steps.ts';

/** Receives the kind of each command, and how it ended. */
export type Count = (kind: string) => void;

/**
 * Takes the steps of a history with a store and with the model.
 * @returns the first difference
 */
export const runHistory = async (
  store: Store,
  steps: readonly Step[],
  count: Count = () => undefined,
): Promise<Difference | undefined> => {
  const model: Record<TableName, Table> = { A: new Map(), B: new Map() };
  await Promise.all([store.tables.A.clear(), store.tables.B.clear()]);

  const otherOf = (table: TableName): TableName => (table === 'A' ? 'B' : 'A');
  const run = (table: TableName, command: Command, endpoint = store.endpoint): Promise<Ended> =>
    runCommand(command, { table: store.tables[table].name, endpoint }, store.tables[otherOf(table)].name);
  const expected = (table: TableName, command: Command, from = model[table]): Outcome =>
    outcomeOf(from, model[otherOf(table)], command);

  const take = async (table: TableName, command: Command): Promise<void> => {
    const outcome = expected(table, command);
    const ended = await run(table, command);
    count(`${command.run}${ended.exitCode === 0 ? '' : ' (exit code 1)'}`);
    assertEnded(ended, outcome);
    model[table] = outcome.table;
  };

  /** What anyone sees of a table is what the model says. */
  const assertSame = async (table: TableName): Promise<void> => {
    const real = store.tables[table];
    const wanted = model[table];
    assert.deepEqual(listed(await real.items()), listed(wanted));
    const lists = await Promise.all(principals.map((each) => real.plantsOf(each)));
    assert.deepEqual(
      lists,
      principals.map((each) => plantsOf(wanted, each)),
    );
    const ids = new Set([...wanted.values()].map(idIn)).add('a');
    ids.delete('');
    for (const id of ids) {
      const { output } = await runWho(id, { table: real.name, endpoint: store.endpoint });
      assert.deepEqual(linesOf(output), whoHas(wanted, id).toSorted());
    }
    const check = { run: 'check', repair: false } as const;
    assertEnded(await run(table, check), expected(table, check));
  };

  const takeTwo = async ({ table, first, second, before }: TwoStep): Promise<void> => {
    let ended: readonly [Ended, Ended];
    if (before === undefined) ended = await Promise.all([run(table, first), run(table, second)]);
    else {
      let interposed: Promise<Ended> | undefined;
      const interpose = (): Promise<Ended> => (interposed ??= run(table, second));
      store.link.interpose(before, interpose);
      ended = [await run(table, first, store.link.endpoint), await interpose()];
    }
    const actual = await store.tables[table].items();
    const again = commandsToRepeat({
      commands: [first, second],
      ended,
      before: model[table],
      actual,
      outcomeOf: (from, command) => expected(table, command, from),
    });
    for (const command of [first, second]) count(`two at once: ${command.run}`);
    if (ended.some(saysMeanwhile)) count('two at once: one said so');
    model[table] = actual;
    for (const command of again) {
      count('two at once: run again');
      await take(table, command);
    }
  };

  const takeStep = async (step: Step): Promise<void> => {
    const { table } = step;
    if (step.step === 'put') {
      await store.tables[table].put(step.item);
      model[table] = new Map([...model[table], ...tableOf([step.item])]);
      return;
    }
    await (step.step === 'one' ? take(table, step.command) : takeTwo(step));
    await assertSame(table);
  };

  for (const [index, step] of steps.entries()) {
    try {
      await takeStep(step);
    } catch (error) {
      return { steps: index + 1, error };
    }
  }
  return undefined;
};

const listed = (table: Table): readonly string[] => [...table.values()].map(itemText).sort();
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .sort();
const isCommand = (line: string): boolean => line.startsWith('npm run plants -- ');

const assertEnded = ({ exitCode, output, messages }: Ended, outcome: Outcome): void => {
  const printed = linesOf(output);
  assert.deepEqual(
    {
      exitCode,
      says: messages.includes(outcome.says) ? outcome.says : messages,
      offers: [...printed, ...messages.split('\n')].filter(isCommand).length,
      lines: printed.filter((line) => !isCommand(line)),
    },
    {
      exitCode: outcome.exitCode,
      says: outcome.says,
      offers: outcome.offers,
      lines: outcome.lines.toSorted(),
    },
  );
};
