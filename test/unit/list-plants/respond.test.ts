import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../functions/shared/errors.ts';
import { encodeCursor } from '../../../functions/list-plants/cursor.ts';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { noLimit } from '../../../functions/http/json-response.ts';
import { respond } from '../../../functions/list-plants/respond.ts';
import type { HttpEvent } from '../../../functions/http/operation.ts';
import { listEvent, requestTime } from '../../support/list-event.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { memoryPlantStore, watched } from '../../support/table/memory-plant-store.ts';
import { sortKeyOf } from '../../support/table/stored-plants.ts';

/** The queries that the store receives. */
const queriesOf = async (event: HttpEvent): Promise<readonly unknown[]> => {
  const store = watched(memoryPlantStore({}));
  const dependencies = { store, log: recordingLog(), now: () => requestTime };
  await respond(dependencies, event, new AbortController().signal);
  return store.reads.map(({ query }) => query);
};

const position = sortKeyOf('Ökobaum', '1');
const cursor = encodeCursor(position);

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
    ['?limit=x', { limit: noLimit + 1 }],
    ['limits=x&Limit=x&limit[]=x&=&%&x=%zz&cursors=x', { limit: noLimit + 1 }],
  ])('has its parameters in the raw query, and unknown ones are ignored: %s', async (query, parameters) => {
    expect(await queriesOf(listEvent({ query }))).toEqual([{ principal: 'user#alice', ...parameters }]);
  });

  it.each([{}, { requestContext: {} }, { requestContext: { authorizer: { lambda: null } } }])(
    'is rejected for a missing caller before its parameters are parsed: %j',
    async (event) => {
      await expect(queriesOf({ ...event, rawQueryString: 'limit=x' })).rejects.toThrow(
        new ServiceError(catalogue.noCaller),
      );
    },
  );
});
