// `npm run bench:import`: rows per second and peak memory of npm run plants -- import, beside boto3's batch_writer.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { Command, InvalidArgumentError } from 'commander';
import { startEmbeddedStore } from '../local/store/store.ts';
import { bringUp, type ExternalSystem } from '../test/external/external-system.ts';
import { credentials, dynamoDbTable, region } from '../test/support/dynamodb-table.ts';
import { plantsCommand } from '../test/support/plants-command.ts';

interface Measured {
  readonly store: string;
  readonly importer: string;
  readonly seconds: number;
  readonly rowsPerSecond: number;
  readonly peakMegabytes: number;
}

interface Importer {
  readonly name: string;
  /** Program and parameters. */
  readonly command: (file: string, table: string, endpoint: string) => readonly string[];
}

const committedResults = fileURLToPath(new URL('import-results.json', import.meta.url));
const python = fileURLToPath(new URL('import.py', import.meta.url));

const run = async (rows: number, out: string | undefined): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  const file = join(folder, 'plants.csv');
  const systems: ExternalSystem[] = [];
  try {
    await writeRows(file, rows);
    const boto3 = await bringUp('boto3');
    systems.push(boto3);
    const dynamoDbLocal = await bringUp('dynamodb-local');
    systems.push(dynamoDbLocal);
    const { endpoint } = await startEmbeddedStore(0, 'STORE_PORT');
    const stores = [
      ['dynalite', endpoint],
      [dynamoDbLocal.version, dynamoDbLocal.variables['DYNAMODB_LOCAL_ENDPOINT'] ?? ''],
    ] as const;
    const importers: readonly Importer[] = [
      {
        name: 'npm run plants',
        command: (path, table, at) => [
          ...plantsCommand,
          ...['import', path, '--to', 'user:bench', '--table', table, '--endpoint', at],
        ],
      },
      {
        name: boto3.version,
        command: (path, table, at) => [
          boto3.variables['BOTO3_PYTHON'] ?? '',
          python,
          path,
          'user#bench',
          table,
          at,
        ],
      },
    ];
    const results: Measured[] = [];
    for (const [store, at] of stores) {
      for (const [index, importer] of importers.entries()) {
        const table = `plants-${String(index)}`;
        console.error(`${importer.name} into ${store} …`);
        const measured = await measure(importer.command(file, table, at), table, at, rows);
        results.push({ store, importer: importer.name, ...measured });
      }
    }
    console.table(results);
    const machine = `${String(cpus().length)} × ${cpus()[0]?.model ?? ''}, ${String(Math.round(totalmem() / 1024 ** 3))} GB`;
    const report = { machine, node: process.version, date: new Date().toISOString(), rows, results };
    writeFileSync(out ?? committedResults, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    for (const system of systems) await system.down();
    rmSync(folder, { recursive: true });
  }
};

const writeRows = async (file: string, rows: number): Promise<void> => {
  const lines = function* (): Generator<string> {
    yield 'id,name,tag\n';
    for (let row = 0; row < rows; row += 1)
      yield `p${String(row)},"Plant ${String(row % 5000)}, shelf ${String(row)} 🌵",${row % 3 === 0 ? '' : 'cactus'}\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
};

/** Runs an importer against a new table. */
const measure = async (
  [program = '', ...parameters]: readonly string[],
  tableName: string,
  endpoint: string,
  rows: number,
): Promise<Pick<Measured, 'seconds' | 'rowsPerSecond' | 'peakMegabytes'>> => {
  const table = dynamoDbTable(endpoint, tableName);
  await table.create();
  const start = performance.now();
  const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'inherit'] });
  let peak = 0;
  // The kernel's own high-water mark, which only grows.
  const watch = setInterval(() => {
    peak = Math.max(peak, highWaterMark(child.pid));
  }, 20);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const seconds = (performance.now() - start) / 1000;
  clearInterval(watch);
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const loaded = await countRows(client, tableName);
  client.destroy();
  table.close();
  if (code !== 0 || loaded !== rows)
    throw new Error(`${program} ended with ${String(code)}; ${String(loaded)} rows are in the table.`);
  return {
    seconds: Number(seconds.toFixed(1)),
    rowsPerSecond: Math.round(rows / seconds),
    peakMegabytes: Math.round(peak / 1000),
  };
};

const highWaterMark = (pid: number | undefined): number => {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
  } catch {
    // The process has just ended.
    return 0;
  }
};

const countRows = async (client: DynamoDBClient, tableName: string): Promise<number> => {
  let rows = 0;
  const pages = paginateQuery(
    { client },
    {
      TableName: tableName,
      Select: 'COUNT',
      KeyConditionExpression: 'principal = :principal',
      ExpressionAttributeValues: { ':principal': { S: 'user#bench' } },
    },
  );
  for await (const { Count: count = 0 } of pages) rows += count;
  return rows;
};

const parseRows = (text: string): number => {
  if (!/^[1-9]\d{0,7}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 to 99999999.');
  return Number(text);
};

await new Command('npm run bench:import --')
  .description('Measures npm run plants -- import beside boto3, on an embedded store and on DynamoDB Local.')
  .option('--rows <number>', 'how many plants are loaded', parseRows, 200_000)
  .option('--out <file>', 'where results go; by default bench/import-results.json')
  .action(async ({ rows, out }: { readonly rows: number; readonly out?: string }) => {
    await run(rows, out);
  })
  .parseAsync();
process.exit();
