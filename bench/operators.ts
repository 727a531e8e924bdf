// `node bench/operators.ts`: reads, time and memory of the commands of npm run plants, in a large table on DynamoDB Local.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { startEmbeddedStore } from '../local/store/store.ts';
import { bringUp } from '../test/external/external-system.ts';
import { machine, parseRows, tagOf, writeRows } from './import-file.ts';
import { type Commands, commandsOf } from './operators/commands.ts';
import { measureFinding } from './operators/finding.ts';
import { measureImports } from './operators/imports.ts';
import { measureInterrupted } from './operators/interrupted.ts';
import { generatedItems } from './operators/rows.ts';
import { load, newTable } from './operators/store.ts';

const committedResults = fileURLToPath(new URL('operators-results.json', import.meta.url));
/** The system's script compiles little, which suits short tests. */
const forLongRuns = '-XX:TieredStopAtLevel=4 -Xmx3g';
/** More than any store has, so that commands are as fast as they can be. */
const unlimited = ['--read-units', '9999999'];

const partitionRows = 400_000;
const restoredRows = 200_000;

const run = async (rows: number, out: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  const system = await bringUp('dynamodb-local', { _JAVA_OPTIONS: forLongRuns });
  const endpoint = system.variables['DYNAMODB_LOCAL_ENDPOINT'] ?? '';
  const report: Record<string, unknown> = {
    machine,
    node: process.version,
    date: new Date().toISOString(),
    store: system.version,
    rows,
  };
  const note = (name: string, value: unknown): void => {
    report[name] = value;
    console.error(name, value);
    writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
  };
  const large = commandsOf(system.version, endpoint);
  const embedded = commandsOf('dynalite', (await startEmbeddedStore(0, 'STORE_PORT')).endpoint);
  const noteCommands = (): void => {
    note('commands', [...large.measured(), ...embedded.measured()]);
  };
  try {
    await newTable(endpoint, 'plants');
    note('load', await load(endpoint, 'plants', generatedItems(rows)));
    note('finding', await measureFinding(endpoint));
    await large.run('list', 'plants', unlimited);
    await large.run('check', 'plants', unlimited);
    await loseIndexEntries(endpoint);
    await large.run('check --repair of 1,000 items', 'plants', [...unlimited, '--repair']);
    noteCommands();
    await newTable(endpoint, 'copy', false);
    note('loadCopy', await load(endpoint, 'copy', generatedItems(rows)));
    await large.run('restore --dry-run', 'plants', [...unlimited, '--from-table', 'copy', '--dry-run']);
    noteCommands();

    note('imports', await measureImports(endpoint, folder, Math.min(rows, 50_000)));
    // DynamoDB Local’s pages take longer the more items it has.
    await measurePartition(embedded, folder, partitionRows);
    noteCommands();
    note('interruptedRestore', await measureInterrupted(embedded, restoredRows));
    noteCommands();
  } finally {
    await system.down();
    rmSync(folder, { recursive: true });
  }
};

/** Commands that read or write one large partition. */
const measurePartition = async (commands: Commands, folder: string, rows: number): Promise<void> => {
  const [file, next] = [join(folder, 'plants.csv'), join(folder, 'next.csv')];
  await writeRows(file, rows);
  // A tenth has another tag, and a tenth is gone.
  await writeRows(next, rows, (row) => (row % 10 === 0 ? 'fern' : row % 10 === 1 ? undefined : tagOf(row)));
  const all = ['--from', 'user:large'];
  await newTable(commands.endpoint, 'partition');
  await commands.run('import', 'partition', [file, '--to', 'user:large']);
  await commands.run('import --replace', 'partition', [next, '--to', 'user:large', '--replace']);
  await commands.run('export', 'partition', all);
  await commands.run('revoke', 'partition', ['p5', ...all]);
  await commands.run('revoke --all', 'partition', [...all, '--all']);
};

/** Writes the first 1,000 items again without `plantId`. */
const loseIndexEntries = async (endpoint: string): Promise<void> => {
  const items = generatedItems(1000).map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'plantId')),
  );
  await load(endpoint, 'plants', items);
};

await new Command('node bench/operators.ts')
  .description('Measures the commands of npm run plants in a large table on DynamoDB Local.')
  .option('--rows <number>', 'how many plants the table has', parseRows, 100_000)
  .option('--out <file>', 'where results go', committedResults)
  .action(async ({ rows, out }: { readonly rows: number; readonly out: string }) => {
    await run(rows, out);
  })
  .parseAsync();
process.exit();
