import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startPlants, testTable } from '../../cli/plants-command.ts';

const table = await testTable();

/** A generation of plants as lines: it renames most of the previous one, removes some and adds others. */
const generation = (number: number): readonly string[] =>
  Array.from({ length: 1500 }, (_, index) => {
    const isOwn = index % 3 === number % 3;
    const id = isOwn ? `${String(index)} of ${String(number)}` : String(index);
    return JSON.stringify({ id, name: `${String(number % 2)} ${String(index)}`, tag: `t${String(number)}` });
  });
const idsIn = (lines: readonly string[]) => new Set(lines.map((line) => /"id":"([^"]+)"/.exec(line)?.[1]));

const replaceBy = (file = ''): readonly string[] => ['import', file, '--to', 'user:alice', '--replace'];

it('import --replace loses no plant when it is killed, and completes when it is run again', async () => {
  const files = [0, 1, 2].map((number) =>
    table.file(`${String(number)}.ndjson`, generation(number).join('\n')),
  );
  const started = performance.now();
  expect(await table.plants(...replaceBy(files[0]))).toMatchObject({ code: 0 });
  const duration = performance.now() - started;
  let killed = 0;
  for (const number of [1, 2]) {
    const [before, after] = [generation(number - 1), generation(number)];
    const kept = idsIn(before).intersection(idsIn(after));
    for (const from of [0.2, 0.4, 0.6, 0.8]) {
      const moment = (from + 0.2 * Math.random()) * duration;
      const { process: child, ended } = startPlants([...replaceBy(files[number]), '--table', table.name]);
      await setTimeout(moment);
      child.kill('SIGKILL');
      await ended;
      if (child.signalCode === 'SIGKILL') killed += 1;
      const listed = idsIn(await table.list('user#alice'));
      expect(kept.difference(listed), `after ${String(moment)} ms`).toEqual(new Set());
    }
    expect(await table.plants(...replaceBy(files[number]))).toMatchObject({ code: 0 });
    expect((await table.list('user#alice')).toSorted()).toEqual(after.toSorted());
  }
  expect(killed).toBeGreaterThan(2);
  // The time limit is for a busy machine.
}, 400_000);
