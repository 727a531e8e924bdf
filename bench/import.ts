// `npm run bench:import`: time and memory of npm run plants -- import, beside that of another checkout of this project.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { z } from 'zod';
import { startEmbeddedStore } from '../local/store/store.ts';
import { dynamoDbTable } from '../test/support/dynamodb-table.ts';
import { storeEnvironment } from '../test/support/plants-command.ts';
import { measureProcess } from './measured-process.ts';

interface Options {
  readonly rows: number;
  readonly rounds: number;
  readonly dryRun: boolean;
  readonly old?: string;
  readonly out: string;
}

const project = fileURLToPath(new URL('..', import.meta.url));

/** What npm runs in a checkout: Node with its options, which are part of what is measured. */
const plantsCommandOf = (checkout: string): readonly string[] => {
  const text = readFileSync(join(checkout, 'package.json'), 'utf8');
  const { scripts } = z.object({ scripts: z.object({ plants: z.string() }) }).parse(JSON.parse(text));
  return [process.execPath, ...scripts.plants.split(' ').slice(2, -1), join(checkout, 'cli/main.ts')];
};

/** A CSV file of plants whose names need quotes. */
const csv = (rows: number): string => {
  const lines = Array.from(
    { length: rows },
    (_, row) =>
      `p${String(row)},"Plant ${String(row % 5000)}, shelf ${String(row)} 🌵",${row % 3 === 0 ? '' : 'cactus'}`,
  );
  return ['id,name,tag', ...lines, ''].join('\n');
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const run = async ({ rows, rounds, dryRun, old, out }: Options): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  const file = join(folder, 'plants.csv');
  writeFileSync(file, csv(rows));
  const { endpoint } = await startEmbeddedStore(0);
  Object.assign(process.env, storeEnvironment(endpoint));
  const checkouts = [project, ...(old === undefined ? [] : [resolve(old)])];
  const measured = checkouts.map((checkout) => ({
    checkout,
    seconds: new Array<number>(),
    cpuSeconds: new Array<number>(),
    megabytes: new Array<number>(),
  }));
  for (let round = 0; round < rounds; round += 1)
    for (const [index, { checkout, seconds, cpuSeconds, megabytes }] of measured.entries()) {
      const name = `plants-${String(round)}-${String(index)}`;
      const table = dynamoDbTable(endpoint, name);
      await table.create();
      table.close();
      const target = [
        'import',
        file,
        '--to',
        'user:bench',
        '--table',
        name,
        ...(dryRun ? ['--dry-run'] : []),
      ];
      const result = await measureProcess([...plantsCommandOf(checkout), ...target]);
      if (result.code !== 0) throw new Error(result.messages.join('\n'));
      seconds.push(result.seconds);
      cpuSeconds.push(result.cpuSeconds);
      megabytes.push(result.peakMegabytes);
      console.error(checkout, result.seconds, result.cpuSeconds, result.peakMegabytes);
    }
  const results = measured.map(({ seconds, cpuSeconds, megabytes }, index) => ({
    checkout: index === 0 ? 'this one' : 'the other one',
    seconds: Math.round(median(seconds) * 10) / 10,
    cpuSeconds: Math.round(median(cpuSeconds) * 10) / 10,
    peakMegabytes: Math.max(...megabytes),
  }));
  console.table(results);
  const machine = `${String(cpus().length)} × ${cpus()[0]?.model ?? ''}, ${String(Math.round(totalmem() / 1024 ** 3))} GB`;
  writeFileSync(
    out,
    `${JSON.stringify({ machine, date: new Date().toISOString(), rows, rounds, results }, null, 2)}\n`,
  );
  rmSync(folder, { recursive: true });
};

await new Command('npm run bench:import --')
  .description('Measures npm run plants -- import on an embedded store, in turns with another checkout.')
  .option('--rows <number>', 'how many plants are loaded', Number, 100_000)
  .option('--rounds <number>', 'how often', Number, 3)
  .option('--dry-run', 'loads nothing', false)
  .option('--old <folder>', 'the other checkout, with its packages installed')
  .option('--out <file>', 'where results go', fileURLToPath(new URL('import-results.json', import.meta.url)))
  .action(run)
  .parseAsync();
process.exit();
