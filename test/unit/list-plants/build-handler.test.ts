import { setTimeout } from 'node:timers/promises';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { buildHandler } from '../../../functions/list-plants/build-handler.ts';
import { catalogue, type CatalogueEntry, ServiceError } from '../../../functions/list-plants/errors.ts';
import { encodeCursor } from '../../../functions/list-plants/http/cursor.ts';
import type { PlantStore } from '../../../functions/list-plants/plant-store.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { listEvent, requestTime } from '../../support/list-event.ts';
import { hangingPlantStore, memoryPlantStore } from '../../support/memory-plant-store.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { sortKeyOf, storedPlant } from '../../support/stored-plants.ts';

// The name must appear in no error and in no log.
const table = { 'user#Rose': [storedPlant('Rose'), { sortKey: 'Rose' }] };

/** The response to a request, and the log. */
const respond = async (
  store: PlantStore = memoryPlantStore(table),
  { query = '', subject = 'Rose', remaining = 10_000 } = {},
): Promise<APIGatewayProxyStructuredResultV2 & { readonly entries: readonly unknown[] }> => {
  const log = recordingLog();
  const context = { ...lambdaContext, getRemainingTimeInMillis: () => remaining };
  const event = listEvent({ query, subject, groups: ['Rose'] });
  const response = await buildHandler({ store, log, now: () => requestTime })(event, context);
  return { ...response, entries: log.entries };
};

/** Expects the Error body and one log entry, and nothing else about the failure. */
const expectError = (
  { body, entries, ...response }: Awaited<ReturnType<typeof respond>>,
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
  expect(entries).toMatchObject([[error < 2000 ? 'info' : 'error', { event: 'request-failed', error }]]);
  expect(JSON.stringify(entries)).not.toMatch(/Rose|Um9zZ/);
};

const storeThatThrows = (reason: unknown): PlantStore => ({
  readPlants: () => {
    throw reason;
  },
});

describe('GET /plants', () => {
  it('logs nothing for a list without damaged items, and their count but no name for another', async () => {
    expect(await respond(undefined, { subject: 'carol' })).toMatchObject({ body: '[]', entries: [] });
    expect(await respond()).toMatchObject({
      body: '[{"name":"Rose"}]',
      entries: [['error', { event: 'damaged-items', count: 1 }]],
    });
  });

  it.each([
    ['an invalid limit', { query: 'limit=Rose' }, catalogue.invalidLimit],
    ['an invalid cursor', { query: `cursor=x${encodeCursor(sortKeyOf('Rose'))}` }, catalogue.invalidCursor],
    ['no caller', { subject: '' }, catalogue.noCaller],
  ])('responds to %s with its error', async (_, request, entry) => {
    expectError(await respond(undefined, request), entry);
  });

  const nested = new Error('Rose', { cause: new Error('Rose') });
  it.each([
    ['an error', new Error('Rose\nRose'), catalogue.unexpected],
    [
      'an HTTP error',
      Object.assign(new Error('Rose'), { statusCode: 404, expose: true, headers: { 'X-Rose': 'Rose' } }),
      catalogue.unexpected,
    ],
    ['a string that looks like a body', '{"error":1,"message":"Rose"}', catalogue.unexpected],
    ['null', null, catalogue.unexpected],
    ['undefined', undefined, catalogue.unexpected],
    ['a response', { statusCode: 200, body: '["Rose"]' }, catalogue.unexpected],
    [
      'a store that is down',
      new ServiceError(catalogue.storeUnavailable, { cause: nested }),
      catalogue.storeUnavailable,
    ],
  ])('responds to %s with 2000 or its error', async (_, thrown, entry) => {
    expectError(await respond(storeThatThrows(thrown)), entry);
  });

  it('responds with 2002 before the function’s timeout, and aborts the pending reads', async () => {
    let ended = 0;
    const store = hangingPlantStore(() => (ended += 1));
    expectError(await respond(store, { remaining: 1600 }), catalogue.deadlineExceeded);
    expect(ended).toBe(2);
    // That deadline has passed before the request starts.
    expectError(await respond(store, { remaining: 10 }), catalogue.deadlineExceeded);
  });

  it('responds with 2002 without waiting for the last second before the function’s timeout', async () => {
    const store: PlantStore = {
      readPlants: async (query, signal) => {
        await setTimeout(1000, undefined, { signal });
        return memoryPlantStore(table).readPlants(query, signal);
      },
    };
    expectError(await respond(store, { remaining: 1600 }), catalogue.deadlineExceeded);
  });
});
