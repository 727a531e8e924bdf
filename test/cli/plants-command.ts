import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeEach, vi } from 'vitest';
import { importPlants, list, type Output } from '../../cli/commands.ts';
import { embeddedStore } from '../../local/store/embedded-store.ts';
import type { Principal } from '../../table/principal.ts';
import { startServer } from '../support/loopback-server.ts';
import { credentials, dynamoDbTable, type DynamoDbTable, region } from '../support/table/dynamodb-table.ts';

/** The result of a command. */
export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
  /** Standard error, line by line. */
  readonly messages: readonly string[];
}

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A line of bash in which `"$@"` is the command. */
  readonly shell?: string;
}

/** Starts the command line as npm does. */
export const startPlants = (
  parameters: readonly string[],
  { env = {}, shell = 'exec "$@"' }: ProcessOptions = {},
): { readonly process: ChildProcess; readonly ended: Promise<CommandResult> } => {
  const command = ['-c', shell, 'bash', process.execPath, main, ...parameters];
  const child = spawn('bash', command, { env: { ...process.env, ...env } });
  child.stdin.end();
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const ended = Promise.all([exited, text(child.stdout), text(child.stderr)]).then(
    ([code, output, messages]) => ({ code, output, messages: messages.split('\n').filter(Boolean) }),
  );
  return { process: child, ended };
};

/** Runs the command line until it exits. */
export const plants = (...given: Parameters<typeof startPlants>): Promise<CommandResult> =>
  startPlants(...given).ended;

/**
 * A new table in the suite's DynamoDB or an embedded store, whose endpoint is AWS_ENDPOINT_URL_DYNAMODB.
 */
export interface TestTable extends Pick<DynamoDbTable, 'put'> {
  readonly name: string;
  readonly endpoint: string;
  /** Runs the command line with this table. */
  readonly plants: (...parameters: readonly string[]) => Promise<CommandResult>;
  /** The lines that `list` prints, without a process. */
  readonly list: (from: Principal | undefined, id?: string) => Promise<readonly string[]>;
  /** Runs the command line with this table in a line of bash, in which `"$@"` is the command. */
  readonly plantsIn: (shell: string, ...parameters: readonly string[]) => Promise<CommandResult>;
  /** Writes a file into a folder that is removed with the table. @returns its path */
  readonly file: (name: string, content: string) => string;
  /** All items, each as a line of JSON: two tables are equal if their lines are. */
  readonly content: () => Promise<readonly string[]>;
}

/** Creates a table, and removes it after the tests of the file at whose top this function is called. */
export const testTable = async (): Promise<TestTable> => {
  const endpoint = process.env['DYNAMODB_LOCAL_ENDPOINT'] ?? (await startServer(embeddedStore()));
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey);
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  const name = `plants-${randomUUID()}`;
  const table = dynamoDbTable(endpoint, name);
  await table.create();
  const client = new DynamoDBClient();
  afterAll(() => {
    table.close();
    client.destroy();
    rmSync(folder, { recursive: true });
    vi.unstubAllEnvs();
  });
  return {
    put: table.put,
    name,
    endpoint,
    plants: (...parameters) => plants([...parameters, '--table', name]),
    list: async (from, id) => {
      let printed = '';
      const print = (text: string): void => {
        printed += text;
      };
      await list(id, { table: name, from }, { print, say: () => undefined });
      return printed.split('\n').slice(0, -1);
    },
    plantsIn: (shell, ...parameters) => plants([...parameters, '--table', name], { shell }),
    file: (fileName, content) => {
      const path = join(folder, fileName);
      writeFileSync(path, content);
      return path;
    },
    content: async () => {
      const lines: string[] = [];
      for await (const { Items: items = [] } of paginateScan({ client }, { TableName: name }))
        lines.push(
          ...items.map((item) => JSON.stringify(Object.entries(item).sort(([a], [b]) => a.localeCompare(b)))),
        );
      return lines.sort();
    },
  };
};

interface RowOptions {
  readonly replace?: boolean;
  readonly skipBad?: boolean;
  readonly dryRun?: boolean;
}

/** Calls of the commands without a process, and what they have written since the test began. */
export interface RecordedCommands {
  readonly output: Output;
  /** The messages. */
  readonly said: string[];
  /** The lines. */
  readonly printed: string[];
  /** Imports rows for a principal. */
  readonly load: (to: Principal, rows: readonly object[], options?: RowOptions) => Promise<void>;
  /** What `list` prints, each line parsed. */
  readonly listed: (from: Principal) => Promise<readonly unknown[]>;
}

/** To be called at the top of a test file. */
export const recordedCommands = ({ name, file, list: lines }: TestTable): RecordedCommands => {
  const said: string[] = [];
  const printed: string[] = [];
  beforeEach(() => {
    said.length = 0;
    printed.length = 0;
  });
  const output: Output = {
    print: (text) => printed.push(...text.split('\n').slice(0, -1)),
    say: (message) => said.push(message),
  };
  return {
    ...{ output, said, printed },
    load: (to, rows, options) =>
      importPlants(file('rows.json', JSON.stringify(rows)), { table: name, to, ...options }, output),
    listed: async (from) => (await lines(from)).map((line): unknown => JSON.parse(line)),
  };
};
