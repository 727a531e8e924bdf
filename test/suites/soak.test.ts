// The suite `soak` proves: over 100,000 requests of different callers, the heap of the functions does not
// grow. Some requests are invalid, and some are sent while the store or the issuer fails. The first request
// for a list that nine groups share takes at most 340 MB. The suite cannot show days without requests,
// compressed lists, or an environment that Lambda froze. With the smallest plants, a later request can take
// more than 340 MB.
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
import { type Issuer, issuerOf } from '../support/issuer.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { listEvent, requestTime } from '../support/list-event.ts';
import { startServer, stopServer } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { item, sortKeyOf } from '../support/table/plants.ts';
import { ecKey } from '../support/signing-keys.ts';

/** The number of requests to each of the two functions. */
const requests = 50_000;
/**
 * The most bytes by which the heap may grow in the second half of the requests. A leak of 40 bytes a request
 * is 25,000 × 40 = 1,000,000 bytes, so it is found even if the rest of the heap shrinks by 200,000 bytes.
 */
const maxGrowth = 800_000;

const ok = (body: object): string => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\nContent-Length: ${String(text.length)}\r\n\r\n${text}`;
};
/**
 * A server that sends the bytes of `reply`, or closes the connection if `reply` returns undefined. It does
 * not parse requests, because parsing would make the test a third longer.
 */
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
  // Plain functions and not mocks, because a mock would keep each log entry.
  const ignore = (): void => undefined;
  vi.stubGlobal('console', { ...console, info: ignore, warn: ignore, error: ignore });
});
afterAll(() => servers.map((server) => server.close()));

// Only contexts that are created after this flag have the function `gc`.
setFlagsFromString('--expose-gc');
// Otherwise V8 would free bytecode of unused functions, which is larger than a leak and would hide it.
setFlagsFromString('--no-flush-bytecode');
const collectGarbage = z.function().parse(runInNewContext('gc'));

/** The bytes of objects and buffers after two garbage collections, because only the second frees buffers. */
const heapSize = async (): Promise<number> => {
  for (let collections = 0; collections < 2; collections += 1) {
    // The connections of the last request close only after its response.
    await delay(20);
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** The bytes by which the heap grows in the second half of the requests; the first half warms up. */
const heapGrowth = async (send: (index: number) => Promise<void>): Promise<number> => {
  let before = 0;
  for (let index = 0; index < requests; index += 1) {
    if (index === requests / 2) before = await heapSize();
    // Node.js keeps abort reasons in a WeakMap, whose table does not shrink. Frequent collections keep it
    // from growing.
    if (index % 5000 === 0) collectGarbage();
    await send(index);
  }
  const grown = (await heapSize()) - before;
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
    interface SentRequest {
      readonly name: string;
      readonly parameters?: Parameters<typeof listEvent>[0];
      readonly remainingMs?: number;
      readonly expectedStatus: number;
    }
    const send = async (subject: string, request: SentRequest): Promise<void> => {
      const { name, parameters, remainingMs = 10_000, expectedStatus } = request;
      const context = { ...lambdaContext, getRemainingTimeInMillis: () => remainingMs };
      const { statusCode } = await handler(listEvent({ subject, ...parameters }), context);
      assert.equal(statusCode, expectedStatus, name);
    };
    /** The requests that are sent in turn while the store works. */
    const usualRequests: readonly SentRequest[] = [
      { name: 'for all plants of a user', expectedStatus: 200 },
      { name: 'for a list page', parameters: { query: 'limit=2' }, expectedStatus: 200 },
      { name: 'of a user with a group', parameters: { groups: ['a'] }, expectedStatus: 200 },
      { name: 'with an invalid limit', parameters: { query: 'limit=x' }, expectedStatus: 400 },
    ];
    /** The requests that are sent in turn while the store is down. */
    const requestsInOutage: readonly SentRequest[] = [
      { name: 'that the store fails', remainingMs: respondBeforeTimeout + 8000, expectedStatus: 400 },
      { name: 'that misses its deadline', remainingMs: respondBeforeTimeout + 20, expectedStatus: 400 },
    ];
    /** 10 of 10,000 requests; outages are rare, because each closes the connections to the store. */
    const isStoreDown = (index: number): boolean => index % 10_000 < 10;
    const grown = await heapGrowth(async (index) => {
      storeReply = isStoreDown(index) ? undefined : page;
      const request = elementInTurn(isStoreDown(index) ? requestsInOutage : usualRequests, index);
      await send(String(index), request);
    });
    expect(grown).toBeLessThan(maxGrowth);
  },
);

/** Element `index` of an endless repetition of the elements. */
const elementInTurn = <Element>(elements: readonly Element[], index: number): Element => {
  const element = elements[index % elements.length];
  assert(element !== undefined);
  return element;
};

const key = ecKey('');
/** A key that signs with zeros, because real signatures would take a quarter of the test's time. */
const forgedKey = { ...key, kid: 'unknown', sign: () => Buffer.alloc(64) };

it(
  'the heap of the authorizer grows by less than a leak of 40 bytes a request would',
  { timeout: 600_000 },
  async ({ task }) => {
    task.meta.cases = requests;
    const { handler } = await import('../../functions/authorizer/handler.ts');
    type Decision = 'allowed' | 'denied' | 'undecided';
    const decide = (authorization: string): Promise<Decision> =>
      handler({ identitySource: [authorization] }, lambdaContext).then(
        ({ isAuthorized }) => (isAuthorized ? 'allowed' : 'denied'),
        () => 'undecided',
      );
    interface Caller {
      readonly name: string;
      readonly authorization: (issuer: Issuer, claims: { readonly sub: string }) => string;
      readonly expected: Decision;
      /** The decision while the issuer is down; `expected` unless set. */
      readonly expectedInOutage?: Decision;
    }
    /** The callers that send requests in turn. */
    const callers: readonly Caller[] = [
      {
        name: 'with a valid token',
        authorization: ({ token }, claims) => `Bearer ${token({ claims })}`,
        expected: 'allowed',
      },
      {
        name: 'with an expired token',
        authorization: ({ token }, claims) => `Bearer ${token({ claims: { ...claims, exp: 0 } })}`,
        expected: 'denied',
      },
      {
        name: 'with an invalid signature of a known key',
        authorization: ({ token, key: { kid } }, claims) =>
          `Bearer ${token({ claims, key: { ...forgedKey, kid } })}`,
        expected: 'denied',
      },
      {
        name: 'with a token of an unknown key',
        authorization: ({ token }, claims) => `Bearer ${token({ claims, key: forgedKey })}`,
        expected: 'denied',
        expectedInOutage: 'undecided',
      },
      { name: 'without a bearer token', authorization: () => 'Basic x', expected: 'denied' },
    ];
    /** The issuer is down for the last 100 requests of each 1,000. */
    const isIssuerDown = (index: number): boolean => index % 1000 >= 900;
    /** The issuer changes its key after each 1,000 requests. */
    const keyIdAt = (index: number): string => String(Math.floor(index / 1000));
    /** Ten requests a second, and a pause of ten seconds after each 100 of them. */
    const timeOf = (index: number): number => requestTime + index * 100 + Math.floor(index / 100) * 10_000;
    const grown = await heapGrowth(async (index) => {
      vi.setSystemTime(timeOf(index));
      const kid = keyIdAt(index);
      jwksReply = isIssuerDown(index) ? undefined : ok({ keys: [{ ...key.jwk, kid }] });
      const issuer = issuerOf({ ...key, kid }, 'https://issuer', 'plants');
      const { name, authorization, expected, expectedInOutage = expected } = elementInTurn(callers, index);
      const decision = await decide(authorization(issuer, { sub: String(index) }));
      assert.equal(decision, isIssuerDown(index) ? expectedInOutage : expected, name);
    });
    expect(grown).toBeLessThan(maxGrowth);
  },
);

/** An item with the attributes that a list reads. */
const listedItem = (name: string, id: string) => {
  const { sortKey, name: attribute } = item('user#any', name, id);
  return { sortKey, name: attribute };
};

/** A store with the same list in every partition. A response to a Query has `pageSize` plants. */
const storeOfSharedList = (plants: number, pageSize: number) => {
  const names = Array.from({ length: plants }, (_, index) => `plant ${String(index).padStart(6, '0')}`);
  const idOf = (name: string): string => name.padEnd(36, '1');
  const nextPositions = new Map(names.map((name, index) => [String(sortKeyOf(name, idOf(name))), index + 1]));
  const query = z.object({
    ExclusiveStartKey: z.object({ sortKey: z.object({ S: z.string() }) }).optional(),
  });
  return createHttpServer((request, response) => {
    void json(request).then((body) => {
      const startKey = query.parse(body).ExclusiveStartKey?.sortKey.S;
      const first = nextPositions.get(startKey ?? '') ?? 0;
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
  // Otherwise the output would contain log entries beside the result.
  console.info = () => undefined;
  import(file)
    .then(({ handler }) => handler(JSON.parse(event), { getRemainingTimeInMillis: () => 60_000 }))
    .then(({ statusCode, body }) => {
      const result = { statusCode, error: JSON.parse(body).error };
      process.stdout.write(JSON.stringify({ ...result, peak: process.resourceUsage().maxRSS / 1024 }));
      process.exit();
    });
`;

it.each<[verb: string, plants: number, expected: object]>([
  ['lists', 200_000, { statusCode: 200 }],
  ['refuses', 300_000, { statusCode: 400, error: 1003 }],
])(
  '%s a list of %d plants that nine groups share, with at most 340 MB of memory',
  async (_, plants, expected) => {
    // 7,000 plants take about 1 MB, which is the most that DynamoDB puts into a response.
    const store = storeOfSharedList(plants, 7000);
    const folder = temporaryFolder();
    bundleInto(folder, false)('list-plants');
    writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}');
    // The limits that Lambda's runtime sets for the heap of a function with 1,024 MB.
    const heapLimits = ['--max-semi-space-size=34', '--max-old-space-size=922'];
    const event = listEvent({ groups: Array.from({ length: 9 }, (_, index) => `group ${String(index)}`) });
    const file = join(folder, 'list-plants', 'index.js');
    const args = [...heapLimits, '-e', invokeAndMeasure, file, JSON.stringify(event)];
    const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: await startServer(store) };
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    await stopServer(store);
    const { peak, ...result } = z.looseObject({ peak: z.number() }).parse(JSON.parse(stdout));
    expect(result).toEqual(expected);
    expect(peak).toBeLessThanOrEqual(340);
  },
);
