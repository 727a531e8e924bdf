import type { Respond } from '../http/build-handler.ts';
import { isKnownVersion } from '../http/etag.ts';
import { principalsOf } from '../http/principals.ts';
import { notModified, resourceResponse } from '../http/resource-response.ts';
import { ServiceError } from '../http/service-error.ts';
import { findPlant } from '../plant-store/find-plant.ts';
import type { ItemDependencies } from '../plant-store/item-dependencies.ts';
import { catalogue, throwServiceError } from './errors.ts';

/**
 * `GET /plants/{id}`: the plant with an id, if the caller has access to it. The response is 304 if
 * `If-None-Match` has its version.
 */
export const respond: Respond<ItemDependencies> = async ({ items, log, now }, event, signal) => {
  const principals = principalsOf(event, now());
  const id = event.pathParameters?.['id'] ?? '';
  const found = await findPlant({ items, log }, { principals, id }, signal).catch(throwServiceError);
  if (found === undefined) throw new ServiceError(catalogue.noSuchPlant);
  return isKnownVersion(event, found.version)
    ? notModified(found.version)
    : resourceResponse(found.plant, found);
};
