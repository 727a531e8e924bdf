import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { startEmbeddedStore } from '../../local/store/store.ts';
import { contentOf } from './table-content.ts';
import { credentials, dynamoDbTable, type DynamoDbTable, region, type TableShape } from './dynamodb-table.ts';

/** The result of a command. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  /** Standard error, line by line. */
  readonly messages: readonly string[];
}

/** A running command of the operator's command line. */
export interface PlantsCommand {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** npm's command, which sets Node's options. */
const { scripts } = z
  .object({ scripts: z.object({ plants: z.string() }) })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));
/** The program with its first parameters. */
export const plantsCommand: readonly string[] = [
  process.execPath,
  ...scripts.plants.split(' ').slice(2, -1),
  fileURLToPath(new URL('../../cli/main.ts', import.meta.url)),
];

/** The input and environment of a command. */
interface Surroundings {
  readonly input?: string;
  /** Leaves standard input open after the input. */
  readonly staysOpen?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the operator's command line as npm does. */
export const startPlants = (
  parameters: readonly string[],
  { input = '', staysOpen = false, env = {} }: Surroundings = {},
): PlantsCommand => {
  const [program = '', ...first] = plantsCommand;
  const child = spawn(program, [...first, ...parameters], {
    env: { ...process.env, ...env },
  });
  // A command can exit before it has read all input.
  child.stdin.on('error', () => undefined).write(input);
  if (!staysOpen) child.stdin.end();
  return { process: child, ended: endOf(child) };
};

const endOf = async (child: ChildProcessWithoutNullStreams): Promise<Ended> => {
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [exitCode, output, messages] = await Promise.all([code, text(child.stdout), text(child.stderr)]);
  return { code: exitCode, output, messages: messages.split('\n').filter((line) => line !== '') };
};

/** Runs the operator's command line until it exits. */
export const plants = (...given: Parameters<typeof startPlants>): Promise<Ended> =>
  startPlants(...given).ended;

/** Runs a command that a command printed, as if it were pasted into bash. */
export const pasted = (line: string): Promise<Ended> => {
  const prefix = 'npm run plants -- ';
  if (!line.startsWith(prefix)) throw new Error(`This is no command: ${line}`);
  const words = plantsCommand.map((word) => `'${word}'`).join(' ');
  return endOf(spawn('bash', ['-c', `${words} ${line.slice(prefix.length)}`]));
};

/** A new table in the suite's DynamoDB, or else in an embedded store. */
export interface TestTable extends DynamoDbTable {
  /** A new folder for files to import, removed when the table is closed. */
  readonly folder: string;
  /** Writes a file into the folder. @returns its path */
  readonly file: (name: string, content: string) => string;
  readonly name: string;
  readonly endpoint: string;
  /** The options that select this table. */
  readonly options: readonly string[];
  /** All items, each as a line of JSON. */
  readonly content: () => Promise<readonly string[]>;
  /** The names in a partition, in its order. */
  readonly namesOf: (principal: string) => Promise<readonly string[]>;
}

export const testTable = async (shape?: TableShape): Promise<TestTable> => {
  const endpoint =
    process.env['DYNAMODB_LOCAL_ENDPOINT'] ?? (await startEmbeddedStore(0, 'STORE_PORT')).endpoint;
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  const name = `plants-${randomUUID()}`;
  const table = dynamoDbTable(endpoint, name);
  await table.create(shape);
  const client = new DynamoDBClient({ endpoint, region, credentials });
  return {
    ...table,
    folder,
    file: (fileName, content) => {
      const path = join(folder, fileName);
      writeFileSync(path, content);
      return path;
    },
    name,
    endpoint,
    options: ['--table', name, '--endpoint', endpoint],
    content: () => contentOf(endpoint, name),
    namesOf: async (principal) => {
      const { Items: items = [] } = await client.send(
        new QueryCommand({
          TableName: name,
          KeyConditionExpression: 'principal = :principal',
          ExpressionAttributeValues: { ':principal': { S: principal } },
        }),
      );
      return items.map((item) => item['name']?.S ?? '');
    },
    close: () => {
      table.close();
      client.destroy();
      rmSync(folder, { recursive: true });
    },
  };
};

/** The plants in NDJSON that `export` wrote. */
export const parsed = (ndjson: string): readonly unknown[] =>
  ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
