import { buildHandler } from '../http/build-handler.ts';
import { warmConnection } from '../http/warm-up.ts';
import { dependenciesFrom, withDummyReads } from '../plant-store/dependencies.ts';
import { catalogue } from './errors.ts';
import { respond } from './respond.ts';

const dependencies = dependenciesFrom(process.env);

export const handler = buildHandler(respond, dependencies, catalogue.deadlineExceeded);

/** Called once, before the first event. */
export const warmUp = (): Promise<void> =>
  warmConnection(respond, withDummyReads(dependencies), { rawQueryString: 'limit=1' });
