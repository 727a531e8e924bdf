import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkHistories, sumOf } from './check-histories.ts';
import { openStore, type Store } from './real-tables.ts';
import { openTerminals } from './run-command.ts';
import { stores } from './stores.ts';

/** docs/external-suites.md describes these. */
const { OPERATORS_COMMANDS, OPERATORS_SEED } = z
  .object({
    OPERATORS_COMMANDS: z.coerce.number().int().positive().default(2200),
    OPERATORS_SEED: z.coerce.number().int().optional(),
  })
  .parse(process.env);

describe.each(stores)('random commands of two operators on $store', ({ share, start }) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await start());
    const closeTerminals = openTerminals();
    return async () => {
      closeTerminals();
      await store.close();
    };
  });

  const commands = Math.ceil(OPERATORS_COMMANDS * share);
  it('do what the model does', { timeout: 300_000 + commands * 500 }, async ({ task }) => {
    const seed = OPERATORS_SEED ?? Math.floor(Math.random() * 2 ** 30);
    const listeners = process.listenerCount('SIGINT');
    const figures = await checkHistories(store, commands, seed);
    expect(process.listenerCount('SIGINT')).toBe(listeners);
    task.meta.cases = sumOf(figures);
    task.meta.note = `seed ${String(seed)}: ${[...figures].map(([kind, each]) => `${String(each)} ${kind}`).join(', ')}`;
  });
});
