// The suite `soak` proves: over 100,000 requests of different callers, good ones, invalid ones, and some
// while the store or the issuer fails, the heap of the functions does not grow. The first request for a list
// that nine groups share takes at most 340 MB. The suite cannot show days without requests, compressed lists,
// or an environment that Lambda froze. With the smallest plants, a later request can take more than 340 MB.
import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { bundleInto } from '../../infra/bundle.ts';
import { respondBeforeTimeout } from '../../functions/http/build-handler.ts';
import { issuerOf } from '../support/issuer.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { listEvent, requestTime } from '../support/list-event.ts';
import { startServer, stopServer } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { item, sortKeyOf } from '../support/table/plants.ts';
import { ecKey } from '../support/tokens.ts';

/** To each of the two functions. */
const requests = 50_000;
/** In bytes: a leak of 40 bytes a request grows by 1,000,000 in the second half. */
const maxGrowth = 800_000;

const ok = (body: object): string => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\nContent-Length: ${String(text.length)}\r\n\r\n${text}`;
};
/** Closes the connection if the reply is undefined. Parsing requests would make the test a third longer. */
const serverOf = (reply: () => string | undefined) =>
  createServer((socket) =>
    socket.on('data', () => {
      const bytes = reply();
      if (bytes === undefined) socket.destroy();
      else socket.write(bytes);
    }),
  );

let storeReply: string | undefined;
let jwksReply: string | undefined;
const servers = [serverOf(() => storeReply), serverOf(() => jwksReply)] as const;
beforeAll(async () => {
  const [store, jwks] = await Promise.all(servers.map((server) => startServer(server)));
  const environment = {
    ...{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' },
    ...{ TABLE_NAME: 'plants', AWS_ENDPOINT_URL_DYNAMODB: store, JWKS_URI: jwks },
    ...{ TOKEN_ISSUER: 'https://issuer', AUDIENCE: 'plants', TOKEN_PROFILE: 'rfc9068' },
    ...{ TOKEN_ALGORITHMS: 'ES256', GROUPS_CLAIM: 'groups' },
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.useFakeTimers({ toFake: ['Date'], now: requestTime });
  // A mock would keep each log entry.
  const ignore = (): void => undefined;
  vi.stubGlobal('console', { ...console, info: ignore, warn: ignore, error: ignore });
});
afterAll(() => servers.map((server) => server.close()));

// Only contexts that are created after this flag have the function `gc`.
setFlagsFromString('--expose-gc');
// V8 frees more bytecode of unused functions than a leak takes.
setFlagsFromString('--no-flush-bytecode');
const collectGarbage = z.function().parse(runInNewContext('gc'));

/** The bytes that objects and buffers take after two garbage collections: the second frees buffers. */
const heap = async (): Promise<number> => {
  for (let collections = 0; collections < 2; collections += 1) {
    // Connections of the last request close after its response.
    await delay(20);
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** By how many bytes the heap grows in the second half of the requests; the first half warms up. */
const growth = async (send: (index: number) => Promise<void>): Promise<number> => {
  let before = 0;
  for (let index = 0; index < requests; index += 1) {
    if (index === requests / 2) before = await heap();
    // The WeakMap of Node.js for abort reasons keeps the size for the most between two collections.
    if (index % 5000 === 0) collectGarbage();
    await send(index);
  }
  const grown = (await heap()) - before;
  console.log(`The heap grew from ${String(before)} bytes by ${String(grown)}.`);
  return grown;
};

it(
  'the heap of the list function grows by less than a leak of 40 bytes a request would',
  { timeout: 600_000 },
  async ({ task }) => {
    task.meta.cases = requests;
    const { handler } = await import('../../functions/list-plants/handler.ts');
    const plants = Array.from({ length: 5 }, (_, id) => `${'x'.repeat(500)} ${String(id).padStart(2, '0')}`);
    const Items = plants.map((name, id) => listedItem(name, String(id)));
    const page = ok({ Items: [{ sortKey: { S: 'damaged' } }, ...Items] });
    const send = async (
      request: Parameters<typeof listEvent>[0],
      expectedStatus: number,
      remainingMs = 10_000,
    ): Promise<void> => {
      const context = { ...lambdaContext, getRemainingTimeInMillis: () => remainingMs };
      const { statusCode } = await handler(listEvent(request), context);
      assert.equal(statusCode, expectedStatus);
    };
    /** Requests of new users while the store works. */
    const usual = async (subject: string, kind: number): Promise<void> => {
      storeReply = page;
      if (kind === 0) await send({ subject }, 200);
      else if (kind === 1) await send({ subject, query: 'limit=2' }, 200);
      else if (kind === 2) await send({ subject, groups: ['a'] }, 200);
      else await send({ subject, query: 'limit=x' }, 400);
    };
    /** Requests while the store is down: every second one misses its deadline before the store's error. */
    const inOutage = async (subject: string, missesDeadline: boolean): Promise<void> => {
      storeReply = undefined;
      await send({ subject }, 400, respondBeforeTimeout + (missesDeadline ? 20 : 8000));
    };
    const grown = await growth(async (index) => {
      // Outages are rare, because each closes the connections: 10 requests of 10,000.
      if (index % 10_000 < 10) await inOutage(String(index), index % 2 === 1);
      else await usual(String(index), index % 4);
    });
    expect(grown).toBeLessThan(maxGrowth);
  },
);

const key = ecKey('');
/** Signs with zeros, because real signatures would take a quarter of the test's time. */
const forger = { ...key, kid: 'unknown', sign: () => Buffer.alloc(64) };

it(
  'the heap of the authorizer grows by less than a leak of 40 bytes a request would',
  { timeout: 600_000 },
  async ({ task }) => {
    task.meta.cases = requests;
    const { handler } = await import('../../functions/authorizer/handler.ts');
    const send = async (
      authorization: string,
      expected: 'allowed' | 'denied' | 'undecided',
    ): Promise<void> => {
      const decision = await handler({ identitySource: [authorization] }, lambdaContext).then(
        ({ isAuthorized }) => (isAuthorized ? 'allowed' : 'denied'),
        () => 'undecided',
      );
      assert.equal(decision, expected);
    };
    /** The issuer is down for the last 100 requests of each 1,000. */
    const isIssuerDown = (index: number): boolean => index % 1000 >= 900;
    /** The issuer has another key for each 1,000 requests. */
    const keyIdAt = (index: number): string => String(Math.floor(index / 1000));
    /** Ten requests a second, and a pause of ten seconds after each 100 of them. */
    const timeOf = (index: number): number => requestTime + index * 100 + Math.floor(index / 100) * 10_000;
    const grown = await growth(async (index) => {
      vi.setSystemTime(timeOf(index));
      const kid = keyIdAt(index);
      jwksReply = isIssuerDown(index) ? undefined : ok({ keys: [{ ...key.jwk, kid }] });
      const { token } = issuerOf({ ...key, kid }, 'https://issuer', 'plants');
      const claims = { sub: String(index) };
      const kind = index % 5;
      if (kind === 0) await send(`Bearer ${token({ claims })}`, 'allowed');
      else if (kind === 1) await send(`Bearer ${token({ claims: { exp: 0 } })}`, 'denied');
      else if (kind === 2) await send(`Bearer ${token({ claims, key: { ...forger, kid } })}`, 'denied');
      else if (kind === 3)
        await send(`Bearer ${token({ claims, key: forger })}`, isIssuerDown(index) ? 'undecided' : 'denied');
      else await send('Basic x', 'denied');
    });
    expect(grown).toBeLessThan(maxGrowth);
  },
);

/** An item with the attributes that a list reads. */
const listedItem = (name: string, id: string) => {
  const { sortKey, name: attribute } = item('user#any', name, id);
  return { sortKey, name: attribute };
};

/** Responds to a Query of any partition with a part of one list, in pages of about 1 MB. */
const sharedList = (plants: number, pageSize: number) => {
  const names = Array.from({ length: plants }, (_, index) => `plant ${String(index).padStart(6, '0')}`);
  const idOf = (name: string): string => name.padEnd(36, '1');
  const ends = new Map(names.map((name, index) => [String(sortKeyOf(name, idOf(name))), index + 1]));
  const query = z.object({
    ExclusiveStartKey: z.object({ sortKey: z.object({ S: z.string() }) }).optional(),
  });
  return createHttpServer((request, response) => {
    void json(request).then((body) => {
      const start = query.parse(body).ExclusiveStartKey?.sortKey.S;
      const first = ends.get(start ?? '') ?? 0;
      const page = names.slice(first, first + pageSize);
      const Items = page.map((name) => listedItem(name, idOf(name)));
      const last = first + pageSize < plants ? Items.at(-1) : undefined;
      response.end(JSON.stringify({ Items, LastEvaluatedKey: last && { sortKey: last['sortKey'] } }));
    });
  });
};

/** Loads the bundle of a function, calls it once, and prints the response's status and the peak in MB. */
const invokeAndMeasure = `
  const [file, event] = process.argv.slice(1);
  // The output is the result alone.
  console.info = () => undefined;
  import(file)
    .then(({ handler }) => handler(JSON.parse(event), { getRemainingTimeInMillis: () => 60_000 }))
    .then(({ statusCode, body }) => {
      const result = { statusCode, error: JSON.parse(body).error };
      process.stdout.write(JSON.stringify({ ...result, peak: process.resourceUsage().maxRSS / 1024 }));
      process.exit();
    });
`;

it.each<[string, number, object]>([
  ['lists', 200_000, { statusCode: 200 }],
  ['refuses', 300_000, { statusCode: 400, error: 1003 }],
])('%s %d plants that nine groups share with at most 340 MB of memory', async (_, plants, expected) => {
  const store = sharedList(plants, 7000);
  const folder = temporaryFolder();
  bundleInto(folder, false)('list-plants');
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
  // The heap of Lambda's runtime with the function's 1,024 MB.
  const heap = ['--max-semi-space-size=34', '--max-old-space-size=922'];
  const event = listEvent({ groups: Array.from({ length: 9 }, (_each, index) => `group ${String(index)}`) });
  const file = join(folder, 'list-plants', 'index.js');
  const args = [...heap, '-e', invokeAndMeasure, file, JSON.stringify(event)];
  const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: await startServer(store) };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  await stopServer(store);
  const { peak, ...result } = z.looseObject({ peak: z.number() }).parse(JSON.parse(stdout));
  expect(result).toEqual(expected);
  expect(peak).toBeLessThanOrEqual(340);
});
