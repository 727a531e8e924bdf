import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startPlants, testTable } from '../../cli/plants-command.ts';

const table = await testTable();

/**
 * The lines of an NDJSON file. One third of its plants is in this file alone. The plants that are also in the
 * file of an adjacent number have another name and tag there.
 */
const linesOfFile = (number: number): readonly string[] =>
  Array.from({ length: 1500 }, (_, index) => {
    const isOnlyInThisFile = index % 3 === number % 3;
    const id = isOnlyInThisFile ? `${String(index)} of ${String(number)}` : String(index);
    const name = `${number % 2 === 0 ? 'even' : 'odd'} ${String(index)}`;
    return JSON.stringify({ id, name, tag: `t${String(number)}` });
  });
const idsIn = (lines: readonly string[]) => new Set(lines.map((line) => /"id":"([^"]+)"/.exec(line)?.[1]));

/** The parameters that replace the plants of alice by those of a file. */
const replaceBy = (file = ''): readonly string[] => ['import', file, '--to', 'user:alice', '--replace'];

it('a killed import --replace loses no plant that both files have, and completes when rerun', async () => {
  const files = [0, 1, 2].map((number) =>
    table.file(`${String(number)}.ndjson`, linesOfFile(number).join('\n')),
  );
  const startTime = performance.now();
  expect(await table.plants(...replaceBy(files[0]))).toMatchObject({ code: 0 });
  const duration = performance.now() - startTime;
  let kills = 0;
  for (const number of [1, 2]) {
    const linesAfter = linesOfFile(number);
    const idsInBoth = idsIn(linesOfFile(number - 1)).intersection(idsIn(linesAfter));
    for (const earliest of [0.2, 0.4, 0.6, 0.8]) {
      const milliseconds = (earliest + 0.2 * Math.random()) * duration;
      const { process: child, ended } = startPlants([...replaceBy(files[number]), '--table', table.name]);
      await setTimeout(milliseconds);
      child.kill('SIGKILL');
      await ended;
      if (child.signalCode === 'SIGKILL') kills += 1;
      const listedIds = idsIn(await table.list('user#alice'));
      expect(idsInBoth.difference(listedIds), `after ${String(milliseconds)} ms`).toEqual(new Set());
    }
    expect(await table.plants(...replaceBy(files[number]))).toMatchObject({ code: 0 });
    expect((await table.list('user#alice')).toSorted()).toEqual(linesAfter.toSorted());
  }
  // Some commands can end before they are killed.
  expect(kills).toBeGreaterThan(2);
  // The time limit is long enough for a busy machine.
}, 400_000);
