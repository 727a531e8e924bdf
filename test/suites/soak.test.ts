// The suite `soak` proves: over 100,000 requests of different callers, good ones, invalid ones, and some
// while the store or the issuer fails, the heap of the functions does not grow. It cannot show days without
// requests, compressed lists, memory outside the heap, or an environment that Lambda froze.
import { strict as assert } from 'node:assert';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { respondBeforeTimeout } from '../../functions/http/build-handler.ts';
import { issuerOf } from '../support/issuer.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { listEvent, requestTime } from '../support/list-event.ts';
import { startServer } from '../support/loopback-server.ts';
import { ecKey } from '../support/tokens.ts';

/** To each of the two functions. */
const requests = 50_000;
/** In bytes: a leak of 40 bytes a request grows by 1,000,000 in the second half. */
const maxGrowth = 800_000;

const ok = (body: object): string => {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\nContent-Length: ${String(text.length)}\r\n\r\n${text}`;
};
/** Closes the connection where the reply is undefined. To parse requests would take a third longer. */
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

it('the list function’s heap does not grow', { timeout: 600_000 }, async ({ task }) => {
  task.meta.cases = requests;
  const { handler } = await import('../../functions/list-plants/handler.ts');
  const plants = Array.from({ length: 5 }, (_, id) => `${'x'.repeat(500)} ${String(id).padStart(2, '0')}`);
  const Items = plants.map((name) => ({ sortKey: { S: `${name}\u00001` }, name: { S: name } }));
  const page = ok({ Items: [{ sortKey: { S: 'damaged' } }, ...Items] });
  const kinds = [
    [200, {}],
    [200, { query: 'limit=2' }],
    [200, { groups: ['a'] }],
    [400, { query: 'limit=x' }],
  ] as const;
  const grown = await growth(async (index) => {
    // Seldom, because it closes the connections.
    const isOutage = index % 10_000 < 10;
    storeReply = isOutage ? undefined : page;
    const [status, request] = kinds[index % kinds.length] ?? kinds[0];
    // In an outage, the first deadline is met by an error of the store, the next one is missed, and so on.
    const left = respondBeforeTimeout + (index % 2 === 0 ? 8000 : 20);
    const context = { ...lambdaContext, getRemainingTimeInMillis: () => (isOutage ? left : 10_000) };
    const { statusCode } = await handler(listEvent({ subject: String(index), ...request }), context);
    assert.equal(statusCode, isOutage ? 400 : status);
  });
  expect(grown).toBeLessThan(maxGrowth);
});

const key = ecKey('');
/** It signs with zeros, because signing takes a quarter of the time. */
const forger = { ...key, kid: 'unknown', sign: () => Buffer.alloc(64) };

it('the authorizer’s heap does not grow', { timeout: 600_000 }, async ({ task }) => {
  task.meta.cases = requests;
  const { handler } = await import('../../functions/authorizer/handler.ts');
  const grown = await growth(async (index) => {
    // Ten requests a second, and a pause of ten seconds after 100 of them. In every 1,000 requests the issuer
    // has another key, and for the last 100 of them it is down.
    vi.setSystemTime(requestTime + index * 100 + Math.floor(index / 100) * 10_000);
    const kid = String(Math.floor(index / 1000));
    const isOutage = index % 1000 >= 900;
    jwksReply = isOutage ? undefined : ok({ keys: [{ ...key.jwk, kid }] });
    const { token } = issuerOf({ ...key, kid }, 'https://issuer', 'plants');
    const claims = { sub: String(index) };
    const kinds: readonly (readonly [expected: string, authorization: () => string])[] = [
      ['allowed', () => `Bearer ${token({ claims })}`],
      ['denied', () => `Bearer ${token({ claims: { exp: 0 } })}`],
      ['denied', () => `Bearer ${token({ claims, key: { ...forger, kid } })}`],
      [isOutage ? 'undecided' : 'denied', () => `Bearer ${token({ claims, key: forger })}`],
      ['denied', () => 'Basic x'],
    ];
    const [expected = '', authorization = () => ''] = kinds[index % kinds.length] ?? [];
    const decided = await handler({ identitySource: [authorization()] }, lambdaContext).then(
      ({ isAuthorized }) => (isAuthorized ? 'allowed' : 'denied'),
      () => 'undecided',
    );
    assert.equal(decided, expected);
  });
  expect(grown).toBeLessThan(maxGrowth);
});
