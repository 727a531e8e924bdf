// `npm run bench:import`: rows per second and peak memory of npm run plants -- import, beside boto3's batch_writer.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { Command } from 'commander';
import { startEmbeddedStore } from '../local/store/store.ts';
import { bringUp, type ExternalSystem } from '../test/external/external-system.ts';
import { credentials, dynamoDbTable, region } from '../test/support/dynamodb-table.ts';
import { plantsCommand } from '../test/support/plants-command.ts';
import { machine, parseRows, writeRows } from './import-file.ts';
import { measureProcess } from './measured-process.ts';

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
    const report = { machine, node: process.version, date: new Date().toISOString(), rows, results };
    writeFileSync(out ?? committedResults, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    for (const system of systems) await system.down();
    rmSync(folder, { recursive: true });
  }
};

/** Runs an importer against a new table. */
const measure = async (
  command: readonly string[],
  tableName: string,
  endpoint: string,
  rows: number,
): Promise<Pick<Measured, 'seconds' | 'rowsPerSecond' | 'peakMegabytes'>> => {
  const table = dynamoDbTable(endpoint, tableName);
  await table.create();
  const { code, seconds, peakMegabytes, messages } = await measureProcess(command);
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const loaded = await countRows(client, tableName);
  client.destroy();
  table.close();
  if (code !== 0 || loaded !== rows)
    throw new Error(
      [`It ended with ${String(code)}; ${String(loaded)} rows are in the table.`, ...messages].join('\n'),
    );
  return { seconds, rowsPerSecond: Math.round(rows / seconds), peakMegabytes };
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

await new Command('npm run bench:import --')
  .description('Measures npm run plants -- import beside boto3, on an embedded store and on DynamoDB Local.')
  .option('--rows <number>', 'how many plants are loaded', parseRows, 200_000)
  .option('--out <file>', 'where results go; by default bench/import-results.json')
  .action(async ({ rows, out }: { readonly rows: number; readonly out?: string }) => {
    await run(rows, out);
  })
  .parseAsync();
process.exit();
