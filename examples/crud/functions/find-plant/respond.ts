import type { Respond } from '../http/build-handler.ts';
import { principalsOf } from '../http/principals.ts';
import { resourceResponse } from '../http/resource-response.ts';
import { ServiceError } from '../http/service-error.ts';
import { findPlant } from '../plant-store/find-plant.ts';
import type { ItemDependencies } from '../plant-store/item-dependencies.ts';
import { catalogue, throwServiceError } from './errors.ts';

/** `GET /plants/{id}`: the plant with an id, if the caller has access to it. */
export const respond: Respond<ItemDependencies> = async ({ items, log, now }, event, signal) => {
  const principals = principalsOf(event, now());
  const id = event.pathParameters?.['id'] ?? '';
  const found = await findPlant({ items, log }, { principals, id }, signal).catch(throwServiceError);
  if (found === undefined) throw new ServiceError(catalogue.noSuchPlant);
  return resourceResponse(found.plant, found);
};
