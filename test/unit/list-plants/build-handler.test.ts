import { setTimeout } from 'node:timers/promises';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { buildHandler } from '../../../functions/list-plants/build-handler.ts';
import { encodeCursor } from '../../../functions/list-plants/http/cursor.ts';
import { catalogue, type CatalogueEntry, ServiceError } from '../../../functions/list-plants/errors.ts';
import type { ListEvent } from '../../../functions/list-plants/http/list-request.ts';
import type { ListLogEntry, Log } from '../../../functions/shared/log-events.ts';
import type { PlantStore } from '../../../functions/list-plants/plant-store.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { listEvent, requestTime } from '../../support/list-event.ts';
import { hangingPlantStore, memoryPlantStore } from '../../support/memory-plant-store.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { sortKeyOf, storedPlant } from '../../support/stored-plants.ts';

const table = {
  'user#alice': [storedPlant('aloe'), storedPlant('rose', '1', 'flower')],
  'group#gardeners': [storedPlant('fern')],
  'user#bob': [storedPlant('cactus')],
};

const respond = (
  event: ListEvent,
  {
    store = memoryPlantStore(table),
    log = recordingLog(),
    context = lambdaContext,
  }: { readonly store?: PlantStore; readonly log?: Log<ListLogEntry>; readonly context?: Context } = {},
): Promise<APIGatewayProxyStructuredResultV2> =>
  buildHandler({ store, log, now: () => requestTime })(event, context);

/** Expects a response with the Error body, and nothing else about the failure. */
const expectError = (
  { body, ...response }: APIGatewayProxyStructuredResultV2,
  { error, message, statusCode }: CatalogueEntry,
): void => {
  expect(JSON.parse(body ?? '')).toEqual({ error, message });
  expect(response).toEqual({
    statusCode,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'private, no-store',
      ...(statusCode === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(error >= 2000 && { 'Retry-After': '1' }),
    },
  });
};

const storeThatThrows = (reason: unknown): PlantStore => ({
  readPlants: () =>
    Promise.resolve().then(() => {
      throw reason;
    }),
});

const almostTimedOut: Context = { ...lambdaContext, getRemainingTimeInMillis: () => 1600 };

describe('GET /plants', () => {
  it('lists the caller’s plants', async () => {
    expect(await respond(listEvent({ groups: ['gardeners'] }))).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'private, no-store',
        Vary: 'Accept-Encoding',
      },
      body: '[{"name":"aloe"},{"name":"fern"},{"name":"rose","tag":"flower"}]',
    });
  });

  it('lists no plants for a caller without any', async () => {
    expect((await respond(listEvent({ subject: 'carol' }))).body).toBe('[]');
  });

  it('lists no plant and no next page for limit 0', async () => {
    const { statusCode, headers, body } = await respond(listEvent({ query: 'limit=0' }));
    expect([statusCode, body]).toEqual([200, '[]']);
    expect(headers).not.toHaveProperty('Link');
  });

  it('lists at most `limit` plants with a link to the next page', async () => {
    const { headers, body } = await respond(listEvent({ query: 'limit=1' }));
    expect(body).toBe('[{"name":"aloe"}]');
    expect(headers).toHaveProperty(
      'Link',
      `<?limit=1&cursor=${encodeCursor(sortKeyOf('aloe'))}>; rel="next"`,
    );
  });

  it('lists only the caller’s own plants for another caller’s cursor', async () => {
    const cursor = encodeCursor(sortKeyOf('cactus'));
    expect((await respond(listEvent({ query: `cursor=${cursor}` }))).body).toBe(
      '[{"name":"rose","tag":"flower"}]',
    );
  });

  it('compresses a long list with a coding that the client accepts', async () => {
    const store = memoryPlantStore({ 'user#alice': [storedPlant('fern', '1', 'x'.repeat(9000))] });
    const { headers, isBase64Encoded } = await respond(listEvent({ acceptEncoding: 'gzip' }), { store });
    expect(headers).toHaveProperty('Content-Encoding', 'gzip');
    expect(isBase64Encoded).toBe(true);
  });

  it('logs nothing for a successful request', async () => {
    const log = recordingLog();
    await respond(listEvent(), { log });
    expect(log.entries).toEqual([]);
  });
});

describe('a failed GET /plants', () => {
  it.each([
    ['1001 for an invalid limit', 'limit=05', catalogue.invalidLimit],
    ['1002 for an invalid cursor', 'cursor=x', catalogue.invalidCursor],
  ])('responds with %s', async (_, query, error) => {
    expectError(await respond(listEvent({ query })), error);
  });

  it('responds with 1003 for more plants than a response can hold', async () => {
    const plants = Array.from({ length: 7500 }, (_, index) =>
      storedPlant(`plant ${String(index)}`, '1', 'x'.repeat(900)),
    );
    const store = memoryPlantStore({ 'user#alice': plants });
    expectError(await respond(listEvent(), { store }), catalogue.resultTooLarge);
    expect((await respond(listEvent({ query: 'limit=10' }), { store })).statusCode).toBe(200);
    expectError(await respond(listEvent({ acceptEncoding: 'br' }), { store }), catalogue.resultTooLarge);
  });

  const anonymous: ListEvent = { rawQueryString: '', headers: {} };
  const authorized = (lambda: unknown): ListEvent => ({ requestContext: { authorizer: { lambda } } });
  const alice = { subject: 'alice', groups: [] };
  it.each<[string, ListEvent]>([
    ['an empty event', {}],
    ['no request context', anonymous],
    ['an empty request context', { ...anonymous, requestContext: {} }],
    ['no context from the authorizer', authorized(undefined)],
    ['null from the authorizer', authorized(null)],
    ['an incomplete caller', authorized(alice)],
    ['an expired token', authorized({ ...alice, expiresAt: requestTime / 1000 })],
  ])('responds with 1004 and status 401 to a request without a valid caller: %s', async (_, event) => {
    expectError(await respond(event), catalogue.noCaller);
  });

  it.each([
    ['an error', new Error('Rose')],
    ['an HTTP error', Object.assign(new Error('Rose'), { statusCode: 404, expose: true })],
    ['an HTTP error with headers', Object.assign(new Error('Rose'), { headers: { 'X-Rose': 'Rose' } })],
    ['a string', 'Rose'],
    ['a string that looks like a body', '{"error":1,"message":"Rose"}'],
    ['a number', 404],
    ['an empty string', ''],
    ['null', null],
    ['undefined', undefined],
    ['a response', { statusCode: 200, body: '["Rose"]' }],
  ])('responds with 2000 to an unexpected failure: %s', async (_, thrown) => {
    const store = storeThatThrows(thrown);
    expectError(await respond(listEvent(), { store }), catalogue.unexpected);
  });

  it('responds with 2000 when the store throws before it returns a promise', async () => {
    const store: PlantStore = {
      readPlants: () => {
        throw new Error('Rose');
      },
    };
    expectError(await respond(listEvent(), { store }), catalogue.unexpected);
  });

  it('responds with 2001 when the store does not respond', async () => {
    const store = storeThatThrows(new ServiceError(catalogue.storeUnavailable));
    expectError(await respond(listEvent(), { store }), catalogue.storeUnavailable);
  });

  it('responds with 2002 before the function’s timeout, and aborts the pending reads', async () => {
    let ended = 0;
    const store = hangingPlantStore(() => (ended += 1));
    const response = await respond(listEvent({ groups: ['gardeners'] }), { store, context: almostTimedOut });
    expectError(response, catalogue.deadlineExceeded);
    expect(ended).toBe(2);
  });

  it('responds with 2002 without waiting for the last second before the function’s timeout', async () => {
    const inner = memoryPlantStore(table);
    const store: PlantStore = {
      readPlants: async (query, signal) => {
        await setTimeout(1000, undefined, { signal });
        return inner.readPlants(query, signal);
      },
    };
    const response = await respond(listEvent(), { store, context: almostTimedOut });
    expectError(response, catalogue.deadlineExceeded);
  });

  it('responds with 2002 when that deadline has passed before the request starts', async () => {
    const context = { ...lambdaContext, getRemainingTimeInMillis: () => 10 };
    const response = await respond(listEvent(), { store: hangingPlantStore(), context });
    expectError(response, catalogue.deadlineExceeded);
  });

  it('responds to the next request as usual', async () => {
    let failures = 1;
    const inner = memoryPlantStore(table);
    const handler = buildHandler({
      store: {
        readPlants: (query, signal) => {
          failures -= 1;
          return failures < 0 ? inner.readPlants(query, signal) : Promise.reject(new Error('Rose'));
        },
      },
      log: recordingLog(),
      now: () => requestTime,
    });
    expectError(await handler(listEvent(), lambdaContext), catalogue.unexpected);
    expect((await handler(listEvent(), lambdaContext)).statusCode).toBe(200);
  });
});

describe('the log', () => {
  const rose = listEvent({ subject: 'Rose' });
  const nested = new Error('Rose', { cause: new Error('Rose') });
  it.each<[string, ListEvent, Parameters<typeof respond>[1]?]>([
    ['an invalid limit', listEvent({ query: 'limit=Rose' })],
    ['an invalid cursor', listEvent({ query: `cursor=x${encodeCursor(sortKeyOf('Rose'))}` })],
    [
      'damaged items',
      rose,
      { store: memoryPlantStore({ 'user#Rose': [{ sortKey: 'Rose' }, storedPlant('Rose', '1', 'Rose')] }) },
    ],
    ['an error that quotes a name', rose, { store: storeThatThrows(new Error('Rose\nRose')) }],
    [
      'an error with a cause that quotes a name',
      rose,
      { store: storeThatThrows(new ServiceError(catalogue.storeUnavailable, { cause: nested })) },
    ],
    ['a thrown name', rose, { store: storeThatThrows('Rose') }],
    [
      'a passed deadline',
      listEvent({ subject: 'Rose', groups: ['Rose'] }),
      { store: hangingPlantStore(), context: almostTimedOut },
    ],
  ])('has one entry for %s, without any plant, user or group', async (_, event, options) => {
    const log = recordingLog();
    await respond(event, { ...options, log });
    expect(log.entries).toHaveLength(1);
    expect(JSON.stringify(log.entries)).not.toMatch(/Rose|Um9zZ/);
  });
});
