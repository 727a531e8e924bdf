import { dummyPrincipal } from '../../table/principal.ts';
import { buildHandler, type Respond } from '../http/build-handler.ts';
import { warmConnection } from '../http/warm-up.ts';
import { type ItemDependencies, itemDependenciesFrom } from '../plant-store/item-dependencies.ts';
import { throwServiceError } from './errors.ts';
import { respond } from './respond.ts';

const dependencies = itemDependenciesFrom(process.env);

export const handler = buildHandler(respond, dependencies);

/** Opens a connection by a read, because a warm-up must not add a plant. */
const respondToDummy: Respond<ItemDependencies> = async ({ items }, _event, signal) => {
  await items.find({ principal: dummyPrincipal, id: 'any' }, signal).catch(throwServiceError);
  return {};
};

/** Called once, before the first event. */
export const warmUp = (): Promise<void> => warmConnection(respondToDummy, dependencies, {});
