import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { startPlants, testTable } from '../../support/service/plants-command.ts';

const table = await testTable();

const plantSchema = z.object({ id: z.string(), name: z.string(), tag: z.string() });
type Plant = z.infer<typeof plantSchema>;

const amount = 3000;
/** The same ids under the names of a generation, which also removes some and adds others. */
const generation = (number: number): readonly Plant[] =>
  Array.from({ length: amount }, (_, index) => {
    const isOwn = index % 3 === number % 3;
    const id = isOwn ? `${String(index)} of ${String(number)}` : String(index);
    return { id, name: `${String(number % 2)} ${String(index)}`, tag: `t${String(number)}` };
  });
const ndjson = (each: readonly Plant[]): string => each.map((plant) => `${JSON.stringify(plant)}\n`).join('');
const listed = async (): Promise<readonly Plant[]> => {
  const { output } = await table.plants('list', '--from', 'user:alice');
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => plantSchema.parse(JSON.parse(line)));
};
const byId = (each: readonly Plant[]): readonly Plant[] => each.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const replaceBy = (file = ''): readonly string[] => ['import', file, '--to', 'user:alice', '--replace'];

it('import --replace loses no plant when it is killed, and completes when it is run again', async () => {
  const files = [0, 1, 2, 3].map((number) =>
    table.file(`${String(number)}.ndjson`, ndjson(generation(number))),
  );
  const started = performance.now();
  expect(await table.plants(...replaceBy(files[0]))).toMatchObject({ code: 0 });
  const duration = performance.now() - started;
  const seed = Math.floor(Math.random() * 2 ** 31);
  const moments = fc.sample(fc.noBias(fc.double({ min: 0.2, max: 1, noNaN: true })), { seed, numRuns: 12 });
  let killed = 0;
  for (const number of [1, 2, 3]) {
    const [before, after] = [generation(number - 1), generation(number)];
    const kept = new Set(before.map(({ id }) => id)).intersection(new Set(after.map(({ id }) => id)));
    for (const moment of moments.slice(number * 4 - 4, number * 4).toSorted((a, b) => a - b)) {
      const { process: child, ended } = startPlants([...replaceBy(files[number]), '--table', table.name]);
      await setTimeout(moment * duration);
      child.kill('SIGKILL');
      await ended;
      if (child.signalCode === 'SIGKILL') killed += 1;
      const ids = new Set((await listed()).map(({ id }) => id));
      expect(kept.difference(ids), `seed ${String(seed)}`).toEqual(new Set());
    }
    expect(await table.plants(...replaceBy(files[number]))).toMatchObject({ code: 0 });
    expect(byId(await listed()), `seed ${String(seed)}`).toEqual(byId(after));
  }
  expect(killed).toBeGreaterThan(2);
  // The time limit is for a busy machine: after it, the next test would run beside this one.
}, 400_000);

it('revoke has printed what it deleted when it is killed, and completes when it is run again', async () => {
  const file = table.file('all.ndjson', ndjson(generation(0)));
  await table.plants(...replaceBy(file));
  const parameters = ['revoke', '--all', '--from', 'user:alice', '--table', table.name];
  const printed = new Set<string>();
  for (const ms of [300, 600, 900, 60_000]) {
    const { process: child, ended } = startPlants(parameters);
    await Promise.race([setTimeout(ms), ended]);
    child.kill('SIGKILL');
    const { output } = await ended;
    for (const [, id = ''] of output.matchAll(/"id":"([^"]+)"/g)) printed.add(id);
    const left = new Set((await listed()).map(({ id }) => id));
    expect(new Set(generation(0).map(({ id }) => id)).difference(left).difference(printed)).toEqual(
      new Set(),
    );
  }
  expect(await listed()).toEqual([]);
});
