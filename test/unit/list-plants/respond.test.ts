import { describe, expect, it } from 'vitest';
import type { HttpEvent } from '../../../functions/http/payload-format.ts';
import { encodeCursor } from '../../../functions/list-plants/cursor.ts';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { respond } from '../../../functions/list-plants/respond.ts';
import type { PlantStore } from '../../../functions/plant-store/plant-store.ts';
import { type CatalogueEntry, ServiceError } from '../../../functions/http/service-error.ts';
import type { StoredPlant } from '../../../table/item.ts';
import { smallestPlant } from '../../../table/plant.ts';
import { listEvent, requestTime } from '../../support/list-event.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { memoryPlantStore, watched } from '../../support/table/memory-plant-store.ts';
import { responseLength, sortKeyOf, storedPlant } from '../../support/table/plants.ts';

const listFrom = (store: PlantStore, event: HttpEvent) =>
  respond({ store, log: recordingLog(), now: () => requestTime }, event, new AbortController().signal);

/** The queries that the store receives for an event. */
const queriesOf = async (event: HttpEvent) => {
  const store = watched(memoryPlantStore({}));
  await listFrom(store, event);
  return store.reads.map(({ query }) => query);
};

const position = sortKeyOf('Ökobaum', '1');
const cursor = encodeCursor(position);

/** The most plants that a response can hold. */
const mostPlants = Math.floor((6 * 1024 * 1024) / responseLength(smallestPlant));
/** What a list without a limit reads: one plant more than a response can hold, and the next. */
const all = mostPlants + 2;

describe('a request', () => {
  it('without a query string and headers lists all plants of the user, and then of each group', async () => {
    const { requestContext = {} } = listEvent({ groups: ['gardeners', 'alice', 'gardeners'] });
    const principals = ['user#alice', 'group#gardeners', 'group#alice'];
    expect(await queriesOf({ requestContext })).toEqual(
      principals.map((principal) => ({ principal, limit: all })),
    );
  });

  it.each([
    [`limit=5&cursor=${cursor}`, { limit: 6, after: position }],
    ['l%69mit=%35', { limit: 6 }],
    [`limit=${String(mostPlants)}`, { limit: mostPlants + 1 }],
    [`limit=${String(mostPlants + 1)}`, { limit: all }],
    ['limit=2147483647', { limit: all }],
    ['limits=x&Limit=x&limit[]=x&=&%&x=%zz&cursors=x', { limit: all }],
  ])(
    '%s reads the items that its parameters ask for, and ignores unknown parameters',
    async (query, parameters) => {
      expect(await queriesOf(listEvent({ query }))).toEqual([{ principal: 'user#alice', ...parameters }]);
    },
  );

  it.each<[string, HttpEvent, CatalogueEntry]>([
    ['no context and an invalid limit', { rawQueryString: 'limit=x' }, catalogue.noCaller],
    ['no caller and an invalid limit', { requestContext: {}, rawQueryString: 'limit=x' }, catalogue.noCaller],
    ['an invalid limit and cursor', listEvent({ query: 'limit=x&cursor=x' }), catalogue.invalidLimit],
    ['a cursor twice', listEvent({ query: `cursor=${cursor}&cursor=${cursor}` }), catalogue.invalidCursor],
  ])('with %s is rejected for the first', async (_, event, error) => {
    await expect(queriesOf(event)).rejects.toThrow(new ServiceError(error));
  });
});

it.each([
  ['/plants', 'plants'],
  ['/prod/plants', 'plants'],
  ['/gardens/7/plants', 'plants'],
  ['/gardens/Kew: 竹 100%?#', 'Kew%3A%20%E7%AB%B9%20100%25%3F%23'],
  [undefined, 'plants'],
])('the link to the next list page of the path %s begins with its last segment', async (rawPath, segment) => {
  const store = memoryPlantStore({ 'user#alice': [storedPlant('aloe'), storedPlant('fern')] });
  const { headers } = await listFrom(store, { ...listEvent({ query: 'limit=1' }), rawPath });
  const next = encodeCursor(sortKeyOf('aloe'));
  expect(headers?.['Link']).toBe(`<${segment}?limit=1&cursor=${next}>; rel="next"`);
});

it('a list is refused as soon as the plants in memory exceed a response, whatever the limit', async () => {
  // Of each principal, 1,000 plants with names of 900 bytes.
  const plants = (principal: string): readonly StoredPlant[] =>
    Array.from({ length: 1000 }, (_, index) =>
      storedPlant(
        principal + String(index).padStart(890, '0'),
        `${principal} ${String(index).padStart(3, '0')}`,
      ),
    );
  const store = watched({
    read: ({ principal }) => Promise.resolve({ plants: plants(principal.padEnd(10)), damaged: 0 }),
  });
  const groups = Array.from({ length: 100 }, (_, index) => String(index));
  const list = listFrom(store, listEvent({ query: `limit=${String(mostPlants)}`, groups }));
  await expect(list).rejects.toThrow(new ServiceError(catalogue.resultTooLarge));
  // Seven principals have more than the 6,868 plants of a response. Seven more reads are in flight.
  expect(store.reads.length).toBeLessThanOrEqual(7 + 7);
});
