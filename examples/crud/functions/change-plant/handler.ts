import { buildHandler } from '../http/build-handler.ts';
import { warmConnection } from '../http/warm-up.ts';
import { itemDependenciesFrom, withDummyItems } from '../plant-store/item-dependencies.ts';
import { respond } from './respond.ts';

const dependencies = itemDependenciesFrom(process.env);

export const handler = buildHandler(respond, dependencies);

/** Called once, before the first event. */
export const warmUp = (): Promise<void> =>
  warmConnection(respond, withDummyItems(dependencies), {
    pathParameters: { id: 'any' },
    headers: { 'if-match': '"any"' },
    body: '{}',
  });
