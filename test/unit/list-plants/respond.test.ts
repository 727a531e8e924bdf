import { describe, expect, it } from 'vitest';
import type { HttpEvent } from '../../../functions/http/payload-format.ts';
import { encodeCursor } from '../../../functions/list-plants/cursor.ts';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { respond } from '../../../functions/list-plants/respond.ts';
import type { PlantStore } from '../../../functions/plant-store/plant-store.ts';
import { ServiceError } from '../../../functions/http/service-error.ts';
import type { StoredPlant } from '../../../table/item.ts';
import { smallestPlant } from '../../../table/plant.ts';
import { listEvent, requestTime } from '../../support/list-event.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { memoryPlantStore, recordingStore } from '../../support/table/memory-plant-store.ts';
import { responseLength, sortKeyOf, storedPlant } from '../../support/table/plants.ts';

const listFrom = (store: PlantStore, event: HttpEvent) =>
  respond({ store, log: recordingLog(), now: () => requestTime }, event, new AbortController().signal);

/** The queries that the store receives for an event. */
const queriesOf = async (event: HttpEvent) => {
  const store = recordingStore(memoryPlantStore({}));
  await listFrom(store, event);
  return store.reads.map(({ query }) => query);
};

const position = sortKeyOf('Ökobaum', '1');
const cursor = encodeCursor(position);

/** The most plants that a response can hold. */
const mostPlants = Math.floor((6 * 1024 * 1024) / responseLength(smallestPlant));
/**
 * The items that a list without a limit reads. Its limit is `mostPlants` + 1, and one plant more shows
 * whether more plants follow: + 2.
 */
const withoutLimit = mostPlants + 2;

describe('a request', () => {
  it('without a query string and headers lists all plants of the user, and then of each group', async () => {
    const { requestContext = {} } = listEvent({ groups: ['gardeners', 'alice', 'gardeners'] });
    const principals = ['user#alice', 'group#gardeners', 'group#alice'];
    expect(await queriesOf({ requestContext })).toEqual(
      principals.map((principal) => ({ principal, limit: withoutLimit })),
    );
  });

  it.each([
    ['with limit 5 and a cursor reads 6 items after it', `limit=5&cursor=${cursor}`, 6, position],
    ['with an escaped limit 5 reads 6 items', 'l%69mit=%35', 6],
    [
      'for as many plants as a response can hold reads one more',
      `limit=${String(mostPlants)}`,
      mostPlants + 1,
    ],
    [
      'for more plants than a response can hold has no limit',
      `limit=${String(mostPlants + 1)}`,
      withoutLimit,
    ],
    ['with the largest limit has no limit', 'limit=2147483647', withoutLimit],
    ['ignores unknown parameters', 'limits=x&Limit=x&limit[]=x&=&%&x=%zz&cursors=x', withoutLimit],
  ])('%s', async (_, query, limit, after?: string) => {
    const expected = { principal: 'user#alice', limit, ...(after !== undefined && { after }) };
    expect(await queriesOf(listEvent({ query }))).toEqual([expected]);
  });

  it.each<[string, number, HttpEvent]>([
    ['no context and an invalid limit', 1004, { rawQueryString: 'limit=x' }],
    ['no caller and an invalid limit', 1004, { requestContext: {}, rawQueryString: 'limit=x' }],
    ['an invalid limit and an invalid cursor', 1001, listEvent({ query: 'limit=x&cursor=x' })],
    ['the same cursor twice', 1002, listEvent({ query: `cursor=${cursor}&cursor=${cursor}` })],
  ])('with %s is rejected with error %i', async (_, error, event) => {
    await expect(queriesOf(event)).rejects.toMatchObject({ entry: { error } });
  });
});

/** The `Link` header of the first of two list pages, for a request with this path. */
const linkFor = async (rawPath: string | undefined): Promise<unknown> => {
  const store = memoryPlantStore({ 'user#alice': [storedPlant('aloe'), storedPlant('fern')] });
  const { headers } = await listFrom(store, { ...listEvent({ query: 'limit=1' }), rawPath });
  return headers?.['Link'];
};
const nextQuery = `limit=1&cursor=${encodeCursor(sortKeyOf('aloe'))}`;

it.each([
  ['/plants', 'plants'],
  ['/prod/plants', 'plants'],
  ['/gardens/7/plants', 'plants'],
  ['/gardens/Kew: 竹 100%?#', 'Kew%3A%20%E7%AB%B9%20100%25%3F%23'],
])('the link to the next list page of %s begins with %s', async (path, segment) => {
  expect(await linkFor(path)).toBe(`<${segment}?${nextQuery}>; rel="next"`);
});

it('the link to the next list page begins with plants if the gateway leaves out the path', async () => {
  expect(await linkFor(undefined)).toBe(`<plants?${nextQuery}>; rel="next"`);
});

it('a list is refused as soon as the plants read so far exceed a response', async () => {
  // Each principal has 1,000 plants with names of 900 bytes.
  const plants = (principal: string): readonly StoredPlant[] =>
    Array.from({ length: 1000 }, (_, index) =>
      storedPlant(
        principal + String(index).padStart(890, '0'),
        `${principal} ${String(index).padStart(3, '0')}`,
      ),
    );
  const store = recordingStore({
    read: ({ principal }) => Promise.resolve({ plants: plants(principal.padEnd(10)), damaged: 0 }),
  });
  const groups = Array.from({ length: 100 }, (_, index) => String(index));
  const list = listFrom(store, listEvent({ query: `limit=${String(mostPlants)}`, groups }));
  await expect(list).rejects.toThrow(new ServiceError(catalogue.resultTooLarge));
  // A response holds 6,868 of these plants, which the first 7 principals exceed (7 × 1,000). When their reads
  // have ended, 8 − 1 = 7 other reads are in flight.
  expect(store.reads.length).toBeLessThanOrEqual(7 + 7);
});
