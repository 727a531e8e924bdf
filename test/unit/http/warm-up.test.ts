import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import { ServiceError } from '../../../functions/http/service-error.ts';
import { unexpectedErrors } from '../../../functions/http/unexpected-errors.ts';
import { warmConnection } from '../../../functions/http/warm-up.ts';
import { StoreUnavailable } from '../../../functions/plant-store/plant-store.ts';
import { respond } from '../../../functions/list-plants/respond.ts';
import { hangingPlantStore } from '../../support/table/memory-plant-store.ts';
import { recordingLog } from '../../support/recording-log.ts';

const now = (): number => Date.UTC(2030, 0, 1);

describe('the list function, before its first request,', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
  const failing = {
    read: () => Promise.reject(new StoreUnavailable(cause)),
  };
  it.each([
    ['fails', failing, 'ECONNREFUSED'],
    ['hangs', hangingPlantStore(), 'Error'],
  ])('logs a warning when the store %s, and still starts', async (_, store, logged) => {
    const log = recordingLog();
    await warmConnection(respond, { store, now, log }, { rawQueryString: 'limit=1' });
    expect(log.entries).toEqual([['warn', { event: 'warm-up-failed', cause: logged }]]);
  });

  it('logs the code of an unexpected error, and publishes the whole error in this process', async () => {
    const log = recordingLog();
    const error = Object.assign(new Error('Rose', { cause: new Error('Rose') }), { code: 'EROSE' });
    const published: unknown[] = [];
    const subscriber = (message: unknown): void => {
      published.push(message);
    };
    unexpectedErrors.subscribe(subscriber);
    await warmConnection(() => Promise.reject(error), { store: hangingPlantStore(), now, log }, {});
    unexpectedErrors.unsubscribe(subscriber);
    expect(log.entries).toEqual([['warn', { event: 'warm-up-failed', cause: 'EROSE' }]]);
    expect(published).toEqual([error]);
  });

  it('logs nothing when the operation rejects the dummy caller’s request', async () => {
    const log = recordingLog();
    const refuse = () => Promise.reject(new ServiceError(catalogue.invalidLimit));
    await warmConnection(refuse, { store: hangingPlantStore(), now, log }, {});
    expect(log.entries).toEqual([]);
  });
});
