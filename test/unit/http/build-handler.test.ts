import { setTimeout } from 'node:timers/promises';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { buildHandler } from '../../../functions/http/build-handler.ts';
import { unexpectedErrors } from '../../../functions/http/unexpected-errors.ts';
import { encodeCursor } from '../../../functions/list-plants/cursor.ts';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { respond as list } from '../../../functions/list-plants/respond.ts';
import { type PlantStore, StoreUnavailable } from '../../../functions/plant-store/plant-store.ts';
import { type CatalogueEntry, ServiceError } from '../../../functions/http/service-error.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { listEvent, requestTime } from '../../support/list-event.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { memoryPlantStore } from '../../support/table/memory-plant-store.ts';
import { sortKeyOf, storedPlant } from '../../support/table/plants.ts';

/**
 * A secret that must appear in no error and in no log: a plant's name, as text and as a cursor encodes it.
 */
const secret = /Rose|Jvc2U/;
const table = { 'user#Rose': [storedPlant('Rose'), { sortKey: 'Rose' }] };

/** The response to a request, and the log. */
const respond = async (
  store: PlantStore = memoryPlantStore(table),
  { query = '', subject = 'Rose', remaining = 10_000 } = {},
): Promise<APIGatewayProxyStructuredResultV2 & { readonly entries: readonly unknown[] }> => {
  const log = recordingLog();
  const context = { ...lambdaContext, getRemainingTimeInMillis: () => remaining };
  const event = listEvent({ query, subject, groups: ['Rose'] });
  const dependencies = { store, log, now: () => requestTime };
  const response = await buildHandler(list, dependencies, catalogue.deadlineExceeded)(event, context);
  return { ...response, entries: log.entries };
};

/** Expects the Error body and one log entry with this cause and stack, and nothing else about the failure. */
const expectError = (
  { body, entries, ...response }: Awaited<ReturnType<typeof respond>>,
  { error, message, statusCode }: CatalogueEntry,
  logged: { readonly cause?: string; readonly stack?: unknown } = {},
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
  expect(entries).toEqual([[error < 2000 ? 'info' : 'error', { event: 'request-failed', error, ...logged }]]);
  expect(JSON.stringify(entries)).not.toMatch(secret);
};

const storeThatThrows = (thrown: unknown): PlantStore => ({
  read: () => {
    throw thrown;
  },
});

describe('GET /plants', () => {
  it.each([
    ['an invalid limit', { query: 'limit=Rose' }, catalogue.invalidLimit],
    ['an invalid cursor', { query: `cursor=x${encodeCursor(sortKeyOf('Rose'))}` }, catalogue.invalidCursor],
    ['a missing caller', { subject: '' }, catalogue.noCaller],
  ])('responds to %s with its error', async (_, request, entry) => {
    expectError(await respond(undefined, request), entry);
  });

  const httpError = { name: 'Lost', statusCode: 404, expose: true, headers: { 'X-Rose': 'Rose' }, code: 5 };
  /** An error whose message differs from that in its stack. */
  const withMessage = (inStack: string, message: string): Error => {
    const { stack } = new Error(inStack);
    return Object.assign(new Error(message), { stack });
  };
  const stack: unknown = expect.any(Array);
  it.each<[string, unknown, { readonly cause: string; readonly stack?: unknown }]>([
    ['an HTTP error', Object.assign(new Error('Rose'), httpError), { cause: 'Lost', stack }],
    ['an error with another message', withMessage('broken\n    at Rose', 'dry'), { cause: 'Error' }],
    ['an error with a shorter message', withMessage('broken by Rose', 'broken'), { cause: 'Error' }],
    ['an error without stack', Object.assign(new Error('Rose'), { stack: undefined }), { cause: 'Error' }],
    ['a text', '{"error":1,"message":"Rose"}', { cause: 'string' }],
    ['a response', { statusCode: 200, body: '["Rose"]' }, { cause: 'object' }],
  ])('responds with 2000 when %s is thrown, and logs no message', async (_, thrown, logged) => {
    expectError(await respond(storeThatThrows(thrown)), catalogue.unexpected, logged);
  });

  it('logs where an unexpected error was thrown, without its message', async () => {
    const error = new Error('Rose is broken\nfor alice\n    at Rose');
    const frames = error.stack?.split('\n').flatMap((line) => (/Rose|alice/.test(line) ? [] : [line.trim()]));
    expect(frames?.[0]).toContain('build-handler.test.ts');
    const logged = { cause: 'Error', stack: frames };
    expectError(await respond(storeThatThrows(error)), catalogue.unexpected, logged);
  });

  /** The errors that are published in this process while a store throws an error. */
  const publishedFor = async (thrown: unknown): Promise<readonly unknown[]> => {
    const published: unknown[] = [];
    const subscriber = (error: unknown): void => {
      published.push(error);
    };
    unexpectedErrors.subscribe(subscriber);
    await respond(storeThatThrows(thrown));
    unexpectedErrors.unsubscribe(subscriber);
    return published;
  };

  it.each<[string, unknown, unknown]>([
    ['an unexpected error', new TypeError('Rose'), new TypeError('Rose')],
    [
      'the cause of an unexpected ServiceError',
      new ServiceError(catalogue.unexpected, { cause: 'Rose' }),
      'Rose',
    ],
  ])('publishes %s in this process', async (_, thrown, published) => {
    expect(await publishedFor(thrown)).toEqual([published]);
  });

  it.each<[string, unknown]>([
    ['an error of the store', new StoreUnavailable(new Error('Rose'))],
    ['an error of the request', new ServiceError(catalogue.invalidLimit)],
  ])('does not publish %s', async (_, thrown) => {
    expect(await publishedFor(thrown)).toEqual([]);
  });

  it('responds with 2001 when the store is unavailable, and logs the code of the cause', async () => {
    const cause = Object.assign(new TypeError('Rose'), { code: 'ECONNREFUSED' });
    const store = storeThatThrows(new StoreUnavailable(cause));
    expectError(await respond(store), catalogue.storeUnavailable, { cause: 'ECONNREFUSED' });
  });

  it('responds with 2002 if a read takes too long for the function’s timeout, and aborts it', async () => {
    let ended = 0;
    const store: PlantStore = {
      read: async (query, signal) => {
        await setTimeout(1000, undefined, { signal }).finally(() => (ended += Number(signal.aborted)));
        return memoryPlantStore(table).read(query, signal);
      },
    };
    // The handler responds 1,900 ms before the timeout. With 2,000 ms left, these are 2,000 − 1,900 = 100 ms
    // after the start; with 10 ms left, the handler responds at once.
    for (const remaining of [2000, 10])
      expectError(await respond(store, { remaining }), catalogue.deadlineExceeded);
    expect(ended).toBeGreaterThanOrEqual(2);
  });
});
