import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStack } from '../../../local/stack/read-stack.ts';
import type { FunctionDefinition, Stack } from '../../../local/stack/stack.ts';
import { item } from '../../contract/plants.ts';
import { dynamoDbTable } from '../../support/dynamodb-table.ts';
import { copyProject, type LocalService, startService } from '../../support/local-service.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { parseResponses } from '../../support/raw-http.ts';
import { authorizer } from './authorizer.ts';
import { faultyIssuer } from './faulty-issuer.ts';
import { faultyStore } from './faulty-store.ts';
import { type FunctionProcess, startFunction } from './function-process.ts';
import { listFunction } from './list-function.ts';
import { groupUsage } from './process-group.ts';
import { localService, longList } from './service.ts';
import { type Bounds, excesses, type Load, soak, type Target } from './soak.ts';
import { type Result, soakDocument } from './table.ts';

const fullRequests = 200_000;
const requests = Number(process.env['SOAK_REQUESTS'] ?? fullRequests / 10);

const resultsFolder = fileURLToPath(new URL('../../../test-results/external/', import.meta.url));
const documentFile = fileURLToPath(new URL('../../../docs/soak.md', import.meta.url));

const megabyte = 1e6;
/** A leak of 100 bytes for each request exceeds the bound for the heap in a tenth of a full run, and that for resident memory in a full one. */
const bounds = { rss: 16 * megabyte, heap: megabyte, timers: 0, listeners: 12, warnings: 0 } as const;

const project = copyProject();
let service: LocalService;
let stack: Stack;
beforeAll(async () => {
  service = await startService(project);
  stack = readStack(join(project.folder, 'cdk.out'), 'PlantStore-local');
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

/** The function that has this variable. */
const definitionOf = (variable: string): FunctionDefinition => {
  const found = stack.functions.find(({ environment }) => variable in environment);
  if (found === undefined) throw new Error(`No function has the variable ${variable}.`);
  return found;
};

const results: Result[] = [];

/** Soaks a target and checks that it is flat. */
const soakFlat = async (target: string, driven: Target, load: Load, within: Bounds): Promise<void> => {
  const run = await soak(driven, load);
  results.push({ target, run, bounds: within });
  writeFileSync(join(resultsFolder, `soak-${target}.txt`), run.parts.map((p) => JSON.stringify(p)).join('\n'));
  expect(excesses(run, within)).toEqual([]);
};

const withFunction = async (
  definition: FunctionDefinition,
  overrides: Readonly<Record<string, string>>,
  use: (process: FunctionProcess) => Promise<void>,
): Promise<void> => {
  const started = startFunction(definition, overrides);
  try {
    await use(started);
  } finally {
    await started.end();
  }
};

// A full run takes as long as it takes: nothing here asserts a duration.
describe('with any mix of requests, what is held stays the same in', { timeout: 7_200_000 }, () => {
  it('the list function', async () => {
    const store = faultyStore();
    const endpoint = await startServer(store);
    await withFunction(definitionOf('TABLE_NAME'), { AWS_ENDPOINT_URL_DYNAMODB: endpoint }, (started) =>
      soakFlat('list function', listFunction(started), { requests, callers: 1 }, { ...bounds, sockets: 101 }),
    );
    await stopServer(store);
  });

  it('the authorizer', async () => {
    const issuer = faultyIssuer();
    const name = await startServer(issuer.server);
    await withFunction(
      definitionOf('JWKS_URI'),
      { TOKEN_ISSUER: name, JWKS_URI: `${name}/jwks` },
      (started) => {
        const driven = authorizer(started, issuer, { issuer: name, audience: service.audience });
        return soakFlat('authorizer', driven, { requests, callers: 1 }, { ...bounds, sockets: 0 });
      },
    );
    await stopServer(issuer.server);
  });

  it('npm start', async () => {
    const table = dynamoDbTable(service.storeEndpoint, service.tableName);
    await table.put(
      Array.from({ length: longList.plants }, (_, index) =>
        item(`user#${longList.subject}`, `Plant ${String(index)}`, '1'),
      ),
    );
    table.close();
    const load = { requests: requests / 2, callers: 50 };
    await soakFlat('npm start', localService(service), load, {
      rssWithGarbage: 64 * megabyte,
      sockets: 200,
      warnings: 0,
    });
  });
});

describe('npm start, with a body of 600 MB to an unknown path', () => {
  it('responds without keeping the body, and to the next request', async () => {
    const group = service.command.process.pid ?? 0;
    const before = groupUsage(group).peakRss;
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname);
    const received = text(socket);
    const part = Buffer.alloc(megabyte);
    await pipeline(
      Readable.from([
        Buffer.from(`POST /unknown HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(600 * megabyte)}\r\n\r\n`),
        ...Array.from({ length: 600 }, () => part),
        Buffer.from('GET /plants HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
      ]),
      socket,
      { end: false },
    );
    expect(parseResponses(await received).map(({ status }) => status)).toEqual([404, 401]);
    expect(groupUsage(group).peakRss - before).toBeLessThan(300 * megabyte);
  });
});

describe('docs/soak.md', () => {
  it('has the figures of a full run', async () => {
    expect(results).toHaveLength(3);
    mkdirSync(resultsFolder, { recursive: true });
    const document = await soakDocument(results, documentFile);
    writeFileSync(join(resultsFolder, 'soak.md'), document);
    if (requests >= fullRequests) writeFileSync(documentFile, document);
    expect(document).toContain('| npm start ');
  });
});
