import { describe, expect, it } from 'vitest';
import { noLimit } from '../../../functions/http/json-response.ts';
import type { HttpEvent } from '../../../functions/http/operation.ts';
import { encodeCursor } from '../../../functions/list-plants/cursor.ts';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { parseLimit, respond } from '../../../functions/list-plants/respond.ts';
import { ServiceError } from '../../../functions/shared/errors.ts';
import { listEvent, requestTime } from '../../support/list-event.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { memoryPlantStore, watched } from '../../support/table/memory-plant-store.ts';
import { sortKeyOf } from '../../support/table/stored-plants.ts';

/** The queries that the store receives for an event. */
const queriesOf = async (event: HttpEvent) => {
  const store = watched(memoryPlantStore({}));
  const dependencies = { store, log: recordingLog(), now: () => requestTime };
  await respond(dependencies, event, new AbortController().signal);
  return store.reads.map(({ query }) => query);
};

const position = sortKeyOf('Ökobaum', '1');
const cursor = encodeCursor(position);

it('a limit is one whole number from 0 to 2147483647; more than a response can hold counts as none', () => {
  // Lambda escapes the quotes of a body.
  const most = Math.floor((6 * 1024 * 1024) / String.raw`{\"name\":\"a\"},`.length);
  expect([parseLimit([]), noLimit]).toEqual([most + 1, most + 1]);
  for (const limit of [0, 1, 10, most]) expect(parseLimit([String(limit)])).toBe(limit);
  for (const limit of [most + 1, most + 2, 2_147_483_647]) expect(parseLimit([String(limit)])).toBe(noLimit);
  const wrong = '2147483648|12345678901||5\n| 5|05|5.0|-0|+5|1e3|0x1|٥|NaN'.split('|').map((text) => [text]);
  for (const texts of [...wrong, ['1', '1'], ['1', '']])
    expect(() => parseLimit(texts)).toThrow(new ServiceError(catalogue.invalidLimit));
});

describe('a request', () => {
  it('without a query string and headers lists all plants of the caller', async () => {
    const { requestContext = {} } = listEvent({ groups: ['gardeners'] });
    expect(await queriesOf({ requestContext })).toEqual([
      { principal: 'user#alice', limit: noLimit + 1 },
      { principal: 'group#gardeners', limit: noLimit + 1 },
    ]);
  });

  it.each([
    [`limit=5&cursor=${cursor}`, { limit: 6, after: position }],
    ['l%69mit=%35', { limit: 6 }],
    ['limits=x&Limit=x&limit[]=x&=&%&x=%zz&cursors=x', { limit: noLimit + 1 }],
  ])('has its parameters in the raw query, and unknown ones are ignored: %s', async (query, parameters) => {
    expect(await queriesOf(listEvent({ query }))).toEqual([{ principal: 'user#alice', ...parameters }]);
  });

  it('is rejected for a missing caller before its parameters are parsed', async () => {
    for (const event of [{}, { requestContext: {} }])
      await expect(queriesOf({ ...event, rawQueryString: 'limit=x' })).rejects.toThrow(
        new ServiceError(catalogue.noCaller),
      );
  });
});
