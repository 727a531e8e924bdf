// The suite `soak` proves: after thousands of good and bad requests, the functions and `npm start` hold no more
// memory, sockets, timers and listeners than before. It cannot show days without requests, or an environment that
// Lambda froze.
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BundledFunction } from '../../../local/stack/bundle.ts';
import { type BundledStack, bundledStack } from '../../support/bundled-stack.ts';
import { item } from '../../contract/plants.ts';
import { dynamoDbTable } from '../../support/table/dynamodb-table.ts';
import { copyProject, type LocalService, startService } from '../../support/service/local-service.ts';
import { type Link, openLink } from '../../support/link.ts';
import { parseResponses } from '../../support/raw-http.ts';
import { authorizer } from './authorizer.ts';
import { type FunctionProcess, startFunction } from './process/function-process.ts';
import { leaking, leaks } from './leaks.ts';
import { listFunction, respondAsStore } from './list-function.ts';
import { groupUsage } from './process/process-group.ts';
import { collectGarbage, localService, longList } from './service.ts';
import { type Bounds, excesses, type Load, medians, soak, type Target } from './soak.ts';

const requests = Number(process.env['SOAK_REQUESTS'] ?? 20_000);

/** One at a time, as in an execution environment on Lambda. */
const load: Load = { requests, callers: 1, parts: 50 };

const megabyte = 1e6;
/** A leak of 100 bytes for each request exceeds the bound for the heap even in a tenth of a full run. */
const bounds = { rss: 16 * megabyte, heap: megabyte, timers: 0, listeners: 12, warnings: 0 } as const;
/** Resident memory varies by a young generation, three times 16 MB with 512 MB, of which the first tenth of a run may touch a part. */
const authorizerBounds: Bounds = { ...bounds, rss: 48 * megabyte, sockets: 0 };
/** The same, three times 34 MB with 1,024 MB; and lists of many megabytes leave gaps in resident memory. The heap is what shows a leak. */
const listBounds: Bounds = { ...bounds, rss: 128 * megabyte, sockets: 16 };

const project = copyProject();
collectGarbage(project);
let service: LocalService;
let stack: BundledStack;
beforeAll(async () => {
  service = await startService(project);
  stack = await bundledStack(project);
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

/** The function that has this variable. */
const definitionOf = (variable: string): BundledFunction => {
  const found = stack.functions.find(({ environment }) => variable in environment);
  if (found === undefined) throw new Error(`No function has the variable ${variable}.`);
  return found;
};

/** Soaks a target, prints what it held at first and at last, for docs/suites.md, and checks that it is flat. */
const soakFlat = async (target: string, driven: Target, load: Load, within: Bounds): Promise<void> => {
  const run = await soak(driven, load);
  const megabytes = (measure: 'rss' | 'heap'): string =>
    medians(run, measure)
      .map((bytes) => (bytes / megabyte).toFixed(1))
      .join(', ');
  console.log(`${target}: resident ${megabytes('rss')} MB, heap ${megabytes('heap')} MB`);
  expect(excesses(run, within)).toEqual([]);
};

const withFunction = async (
  definition: BundledFunction,
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

/** An authorizer, and the link over which it fetches its key set. */
const withAuthorizer = async (
  definition: BundledFunction,
  use: (process: FunctionProcess, keySet: Link) => Promise<void>,
): Promise<void> => {
  const keySet = await openLink(() => Promise.reject(new Error('There is no key set yet.')));
  const overrides = { TOKEN_ISSUER: keySet.url, JWKS_URI: `${keySet.url}/jwks` };
  await withFunction(definition, overrides, (started) => use(started, keySet));
  await keySet.close();
};

// The time limit is for a full run on a busy machine.
describe.concurrent(
  'with any mix of requests, what is held stays the same in',
  { timeout: 7_200_000 },
  () => {
    it('the list function', async () => {
      const store = await openLink(respondAsStore);
      await withFunction(definitionOf('TABLE_NAME'), { AWS_ENDPOINT_URL_DYNAMODB: store.url }, (started) =>
        soakFlat('list function', listFunction(started, store), load, listBounds),
      );
      await store.close();
    });

    it('the authorizer', async () => {
      await withAuthorizer(definitionOf('JWKS_URI'), (started, keySet) =>
        soakFlat('authorizer', authorizer(started, keySet, service.audience), load, authorizerBounds),
      );
    });

    it('npm start', async () => {
      const table = dynamoDbTable(service.storeEndpoint, service.tableName);
      await table.put(
        Array.from({ length: longList.plants }, (_, index) =>
          item(`user#${longList.subject}`, `Plant ${String(index)}`, '1'),
        ),
      );
      table.close();

      await soakFlat(
        'npm start',
        localService(service),
        { requests: requests / 2, callers: 50, parts: 20 },
        {
          // Sixteen environments of each function reach their final size later than one.
          rss: 512 * megabyte,
          heap: 10 * megabyte,
          sockets: 200,
          warnings: 0,
        },
      );
    });
  },
);

describe('a leak for each request is seen', () => {
  it.each(leaks)('$what', async (leak) => {
    const { definition, remove } = leaking(definitionOf('JWKS_URI'), leak);
    await withAuthorizer(definition, async ({ invoke, measure }) => {
      const event = { identitySource: ['Basic x'] };
      const send = async (): Promise<void> => {
        await invoke({ event, remainingMs: 5000, aheadMs: 0 });
      };
      const run = await soak({ send, measure }, { ...load, requests: leak.requests });
      const within = { ...bounds, sockets: 0 };
      expect(excesses(run, within).join()).toContain(`${leak.measure}: `);
    });
    remove();
  });
});

describe('npm start, with a body of 600 MB to an unknown path', () => {
  it('refuses it without keeping the body, and responds to the next request', async () => {
    const group = service.command.process.pid ?? 0;
    const before = groupUsage(group).peakRss;
    const { hostname, port } = new URL(service.baseUrl);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    const part = Buffer.alloc(megabyte);
    const [received] = await Promise.allSettled([
      text(socket),
      // The gateway closes the connection before it has read everything.
      pipeline(
        Readable.from([
          Buffer.from(
            `POST /unknown HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(600 * megabyte)}\r\n\r\n`,
          ),
          ...Array.from({ length: 600 }, () => part),
        ]),
        socket,
        { end: false },
      ),
    ]);
    const response = received.status === 'fulfilled' ? received.value : '';
    expect(parseResponses(response).map(({ status }) => status)).toEqual([404]);
    expect((await fetch(`${service.baseUrl}/plants`)).status).toBe(401);
    expect(groupUsage(group).peakRss - before).toBeLessThan(300 * megabyte);
  });
});
