import { setTimeout } from 'node:timers/promises';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { buildHandler } from '../../../functions/list-plants/build-handler.ts';
import { encodeCursor } from '../../../functions/list-plants/http/cursor.ts';
import { catalogue, type CatalogueEntry, ServiceError } from '../../../functions/list-plants/errors.ts';
import type { ListEvent } from '../../../functions/list-plants/http/list-request.ts';
import type { Log } from '../../../functions/list-plants/log.ts';
import type { PlantStore } from '../../../functions/list-plants/plant-store.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { listEvent, requestTime } from '../../support/list-event.ts';
import { memoryPlantStore } from '../../support/memory-plant-store.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { sortKeyOf, storedPlant } from '../../support/stored-plants.ts';

const table = {
  'user#alice': [storedPlant('aloe'), storedPlant('rose', '1', 'flower')],
  'group#gardeners': [storedPlant('fern')],
  'user#bob': [storedPlant('cactus')],
};

const answer = (
  event: ListEvent,
  {
    store = memoryPlantStore(table),
    log = recordingLog(),
    context = lambdaContext,
  }: { readonly store?: PlantStore; readonly log?: Log; readonly context?: Context } = {},
): Promise<APIGatewayProxyStructuredResultV2> =>
  buildHandler({ store, log, now: () => requestTime })(event, context);

/** A response holds the Error body and nothing else of the failure. */
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

/** Ends a read only when it is told to. */
const hangingStore = (onAbort: () => void = () => undefined): PlantStore => ({
  readPlants: (_, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        onAbort();
        reject(new Error('ended'));
      });
    }),
});

const almostOver: Context = { ...lambdaContext, getRemainingTimeInMillis: () => 1600 };

describe('GET /plants', () => {
  it('answers with the caller’s plants', async () => {
    expect(await answer(listEvent({ groups: ['gardeners'] }))).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/json',
        'Cache-Control': 'private, no-store',
        Vary: 'Accept-Encoding',
      },
      body: '[{"name":"aloe"},{"name":"fern"},{"name":"rose","tag":"flower"}]',
    });
  });

  it('answers with an empty list to a caller without plants', async () => {
    expect((await answer(listEvent({ subject: 'carol' }))).body).toBe('[]');
  });

  it('answers with no plant and no next page to limit 0', async () => {
    const { statusCode, headers, body } = await answer(listEvent({ query: 'limit=0' }));
    expect([statusCode, body]).toEqual([200, '[]']);
    expect(headers).not.toHaveProperty('Link');
  });

  it('answers with at most limit plants and the way to the next', async () => {
    const { headers, body } = await answer(listEvent({ query: 'limit=1' }));
    expect(body).toBe('[{"name":"aloe"}]');
    expect(headers).toHaveProperty(
      'Link',
      `<?limit=1&cursor=${encodeCursor(sortKeyOf('aloe'))}>; rel="next"`,
    );
  });

  it('shows another caller’s cursor nothing but the caller’s own plants', async () => {
    const cursor = encodeCursor(sortKeyOf('cactus'));
    expect((await answer(listEvent({ query: `cursor=${cursor}` }))).body).toBe(
      '[{"name":"rose","tag":"flower"}]',
    );
  });

  it('compresses a long list as the client likes it', async () => {
    const store = memoryPlantStore({ 'user#alice': [storedPlant('fern', '1', 'x'.repeat(9000))] });
    const { headers, isBase64Encoded } = await answer(listEvent({ acceptEncoding: 'gzip' }), { store });
    expect(headers).toHaveProperty('Content-Encoding', 'gzip');
    expect(isBase64Encoded).toBe(true);
  });

  it('writes nothing to the log when all is well', async () => {
    const log = recordingLog();
    await answer(listEvent(), { log });
    expect(log.entries).toEqual([]);
  });
});

describe('a failed GET /plants', () => {
  it('answers 1001 to a wrong limit', async () => {
    expectError(await answer(listEvent({ query: 'limit=05' })), catalogue.invalidLimit);
  });

  it('answers 1002 to a wrong cursor', async () => {
    expectError(await answer(listEvent({ query: 'cursor=x' })), catalogue.invalidCursor);
  });

  it('answers 1003 to more plants than a response can hold', async () => {
    const plants = Array.from({ length: 25 }, (_, index) =>
      storedPlant(`plant ${String(index)}`, '1', 'x'.repeat(300_000)),
    );
    const store = memoryPlantStore({ 'user#alice': plants });
    expectError(await answer(listEvent(), { store }), catalogue.resultTooLarge);
    expect((await answer(listEvent({ query: 'limit=10' }), { store })).statusCode).toBe(200);
    expect((await answer(listEvent({ acceptEncoding: 'br' }), { store })).statusCode).toBe(200);
  });

  const { requestContext: callerContext, ...anonymous } = listEvent();
  it.each<[string, ListEvent]>([
    ['no request context', anonymous],
    ['an empty request context', { ...anonymous, requestContext: {} }],
    ['an authorizer that said nothing', { requestContext: { authorizer: { lambda: undefined } } }],
    ['an authorizer that said null', { requestContext: { authorizer: { lambda: null } } }],
    [
      'an incomplete caller',
      { requestContext: { authorizer: { lambda: { subject: 'alice', groups: [] } } } },
    ],
    [
      'a token that ran out since',
      {
        requestContext: {
          authorizer: { lambda: { subject: 'alice', groups: [], expiresAt: requestTime / 1000 } },
        },
      },
    ],
  ])('answers 1004 with status 401 to a request without a valid caller: %s', async (_, event) => {
    expect(callerContext).toBeDefined();
    expectError(await answer(event), catalogue.noCaller);
  });

  it('answers 1004 to an event that holds nothing at all', async () => {
    expectError(await answer({}), catalogue.noCaller);
  });

  it.each([
    ['an error', new Error('Rose')],
    ['an error of HTTP', Object.assign(new Error('Rose'), { statusCode: 404, expose: true })],
    ['an error of HTTP with headers', Object.assign(new Error('Rose'), { headers: { 'X-Rose': 'Rose' } })],
    ['a text', 'Rose'],
    ['a text that looks like a body', '{"error":1,"message":"Rose"}'],
    ['a number', 404],
    ['an empty text', ''],
    ['null', null],
    ['nothing', undefined],
    ['a response', { statusCode: 200, body: '["Rose"]' }],
  ])('answers 2000 when it meets something unforeseen: %s', async (_, thrown) => {
    const store = storeThatThrows(thrown);
    expectError(await answer(listEvent(), { store }), catalogue.unexpected);
  });

  it('answers 2000 when the store throws before it promises', async () => {
    const store: PlantStore = {
      readPlants: () => {
        throw new Error('Rose');
      },
    };
    expectError(await answer(listEvent(), { store }), catalogue.unexpected);
  });

  it('answers 2001 when the store does not answer', async () => {
    const store = storeThatThrows(new ServiceError(catalogue.storeUnavailable));
    expectError(await answer(listEvent(), { store }), catalogue.storeUnavailable);
  });

  it('answers 2002 while there is still time to, and ends the reads under way', async () => {
    let ended = 0;
    const store = hangingStore(() => {
      ended += 1;
    });
    expectError(
      await answer(listEvent({ groups: ['gardeners'] }), { store, context: almostOver }),
      catalogue.deadlineExceeded,
    );
    expect(ended).toBe(2);
  });

  it('answers 2002 rather than wait for the last second before the function’s own timeout', async () => {
    const inner = memoryPlantStore(table);
    const store: PlantStore = {
      readPlants: async (query, signal) => {
        await setTimeout(1000, undefined, { signal });
        return inner.readPlants(query, signal);
      },
    };
    expectError(await answer(listEvent(), { store, context: almostOver }), catalogue.deadlineExceeded);
  });

  it('answers 2002 also where the deadline is nearer than that from the start', async () => {
    const context = { ...lambdaContext, getRemainingTimeInMillis: () => 10 };
    expectError(await answer(listEvent(), { store: hangingStore(), context }), catalogue.deadlineExceeded);
  });

  it('answers the next request as if nothing had happened', async () => {
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
  it.each<[string, ListEvent, PlantStore, Context]>([
    ['a wrong limit', listEvent({ query: 'limit=Rose' }), memoryPlantStore(table), lambdaContext],
    [
      'a wrong cursor',
      listEvent({ query: `cursor=x${encodeCursor(sortKeyOf('Rose'))}` }),
      memoryPlantStore(table),
      lambdaContext,
    ],
    [
      'damaged items',
      listEvent({ subject: 'Rose' }),
      memoryPlantStore({ 'user#Rose': [{ sortKey: 'Rose' }, storedPlant('Rose', '1', 'Rose')] }),
      lambdaContext,
    ],
    [
      'an error that quotes a name',
      listEvent({ subject: 'Rose' }),
      storeThatThrows(new Error('Rose\nRose')),
      lambdaContext,
    ],
    [
      'an error behind another that quotes a name',
      listEvent({ subject: 'Rose' }),
      storeThatThrows(
        new ServiceError(catalogue.storeUnavailable, {
          cause: new Error('Rose', { cause: new Error('Rose') }),
        }),
      ),
      lambdaContext,
    ],
    ['a thrown name', listEvent({ subject: 'Rose' }), storeThatThrows('Rose'), lambdaContext],
    ['a passed deadline', listEvent({ subject: 'Rose', groups: ['Rose'] }), hangingStore(), almostOver],
  ])('of %s holds one line, without any plant, user or group', async (_, event, store, context) => {
    const log = recordingLog();
    await answer(event, { log, store, context });
    expect(log.entries).toHaveLength(1);
    expect(JSON.stringify(log.entries)).not.toMatch(/Rose|Um9zZ/);
  });
});
