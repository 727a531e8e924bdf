import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkHistories, type Figures, sumOf } from './check-histories.ts';
import { openStore, type Store } from './real-tables.ts';
import { stores } from './stores.ts';

const usualCommands = 2200;
/** docs/external-suites.md describes these. */
const { OPERATORS_COMMANDS, OPERATORS_SEED } = z
  .object({
    OPERATORS_COMMANDS: z.coerce.number().int().positive().default(usualCommands),
    OPERATORS_SEED: z.coerce.number().int().optional(),
  })
  .parse(process.env);

const runs = ['import', 'grant', 'revoke', 'revoke --all', 'revoke --key', 'remove', 'check', 'restore'];

const ran: Figures[] = [];

describe.each(stores)('random commands of two operators on $store', ({ share, start }) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await start());
    return () => store.close();
  });

  const commands = Math.ceil(OPERATORS_COMMANDS * share);
  it('do what the model does', { timeout: 300_000 + commands * 500 }, async ({ task }) => {
    const seed = OPERATORS_SEED ?? Math.floor(Math.random() * 2 ** 30);
    const listeners = process.listenerCount('SIGINT');
    const figures = await checkHistories(store, commands, seed);
    expect(process.listenerCount('SIGINT')).toBe(listeners);
    ran.push(figures);
    task.meta.cases = sumOf(figures);
    task.meta.note = `seed ${String(seed)}`;
  });
});

// With fewer commands, a history is replayed.
if (OPERATORS_COMMANDS >= usualCommands)
  it('every command was compared, alone and beside another one, when it succeeded and when it was refused', () => {
    const kinds = new Set(ran.flatMap((figures) => [...figures.keys()]));
    const refused = runs.filter((run) => run !== 'revoke --all').map((run) => `${run} (exit code 1)`);
    const beside = runs.map((run) => `two at once: ${run}`);
    const wanted = new Set([...runs, ...refused, ...beside, 'two at once: one said so']);
    expect([...wanted.difference(kinds)]).toEqual([]);
  });
