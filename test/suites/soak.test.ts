// The suite `soak` proves: over 100,000 requests of different callers, good ones, invalid ones, and some
// while the store or the issuer fails, the heap of the functions does not grow. It cannot show days without
// requests, memory outside the heap, or an environment that Lambda froze.
import { strict as assert } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { respondBeforeTimeout } from '../../functions/http/build-handler.ts';
import { type FakeServer, type Respond, startFakeServer } from '../support/fake-server.ts';
import { issuerOf } from '../support/issuer.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { listEvent, requestTime } from '../support/list-event.ts';
import { ecKey } from '../support/tokens.ts';

/** To each of the two functions. */
const requests = 50_000;
/** In bytes: a leak of 40 bytes a request grows by as much in the second half. */
const maxGrowth = 1_000_000;

const json = (body: object): ReturnType<Respond> =>
  Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) });
const isDown = (): ReturnType<Respond> => Promise.reject(new Error('It closes the connection.'));

const [key, stranger] = [ecKey(''), ecKey('')];
let store: FakeServer;
let jwks: FakeServer;
beforeAll(async () => {
  store = await startFakeServer(isDown);
  jwks = await startFakeServer(isDown);
  const environment = {
    ...{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' },
    ...{ TABLE_NAME: 'plants', AWS_ENDPOINT_URL_DYNAMODB: store.url, JWKS_URI: jwks.url },
    ...{ TOKEN_ISSUER: 'https://issuer', AUDIENCE: 'plants', TOKEN_PROFILE: 'rfc9068' },
    ...{ TOKEN_ALGORITHMS: 'ES256', GROUPS_CLAIM: 'groups' },
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.useFakeTimers({ toFake: ['Date'], now: requestTime });
  // A mock would keep each log entry.
  const ignore = (): void => undefined;
  vi.stubGlobal('console', { ...console, info: ignore, warn: ignore, error: ignore });
});
afterAll(() => Promise.all([store.close(), jwks.close()]));

// Only contexts that are created after this flag have the function `gc`.
setFlagsFromString('--expose-gc');
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
  for (let index = 0; index < requests / 2; index += 1) await send(index);
  const before = await heap();
  for (let index = requests / 2; index < requests; index += 1) await send(index);
  const grown = (await heap()) - before;
  console.log(`The heap grew from ${String(before)} bytes by ${String(grown)}.`);
  return grown;
};

it('the list function’s heap does not grow', { timeout: 600_000 }, async ({ task }) => {
  task.meta.cases = requests;
  const { handler } = await import('../../functions/list-plants/handler.ts');
  const plants = Array.from({ length: 5 }, (_, id) => `${'x'.repeat(500)} ${String(id).padStart(2, '0')}`);
  const Items = plants.map((name) => ({ sortKey: { S: `${name}\u00001` }, name: { S: name } }));
  const reply = json({ Items: [{ sortKey: { S: 'damaged' } }, ...Items] });
  const works: Respond = () => reply;
  const kinds = [
    [200, {}],
    [200, { query: 'limit=2' }],
    [200, { groups: ['a', 'b', 'c'] }],
    [200, { acceptEncoding: 'br' }],
    [400, { query: 'limit=x' }],
  ] as const;
  const grown = await growth(async (index) => {
    const isOutage = index % 1000 === 0;
    store.respond(isOutage ? isDown : works);
    const [status, request] = kinds[index % kinds.length] ?? kinds[0];
    // In an outage, the first deadline is met by an error of the store, the next one is missed, and so on.
    const left = respondBeforeTimeout + (index % 2000 === 0 ? 8000 : 20);
    const context = { ...lambdaContext, getRemainingTimeInMillis: () => (isOutage ? left : 10_000) };
    const { statusCode } = await handler(listEvent({ subject: String(index), ...request }), context);
    assert.equal(statusCode, isOutage ? 400 : status);
  });
  expect(grown).toBeLessThan(maxGrowth);
});

it('the authorizer’s heap does not grow', { timeout: 600_000 }, async ({ task }) => {
  task.meta.cases = requests;
  const { handler } = await import('../../functions/authorizer/handler.ts');
  const grown = await growth(async (index) => {
    // Every 1,000 seconds the issuer replaces its key, and then it is down for 100 seconds.
    vi.setSystemTime(requestTime + index * 1000);
    const kid = String(Math.floor(index / 1000));
    const { token } = issuerOf({ ...key, kid }, 'https://issuer', 'plants');
    const isOutage = index % 1000 >= 900;
    jwks.respond(isOutage ? isDown : () => json({ keys: [{ ...key.jwk, kid }] }));
    const kinds: readonly (readonly [expected: string, authorization: () => string])[] = [
      ['allowed', () => `Bearer ${token({ claims: { sub: String(index) } })}`],
      ['denied', () => `Bearer ${token({ claims: { exp: 0 } })}`],
      ['denied', () => `Bearer ${token({ key: { ...stranger, kid } })}`],
      [isOutage ? 'undecided' : 'denied', () => `Bearer ${token({ header: { kid: 'unknown' } })}`],
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
