import type { Respond } from '../http/build-handler.ts';
import { acceptedVersions } from '../http/etag.ts';
import { noStore } from '../http/json-response.ts';
import { principalsOf } from '../http/principals.ts';
import { ServiceError } from '../http/service-error.ts';
import { findPlant } from '../plant-store/find-plant.ts';
import type { ItemDependencies } from '../plant-store/item-dependencies.ts';
import { catalogue, throwServiceError } from './errors.ts';

/**
 * `DELETE /plants/{id}`: deletes a plant; with `If-Match`, only if the plant has that version. The record of
 * the request that added the plant is moved to `deleted` first, so that no late repetition of that request
 * adds the plant again.
 */
export const respond: Respond<ItemDependencies> = async ({ items, records, log, now }, event, signal) => {
  const principals = principalsOf(event, now());
  const accepted = acceptedVersions(event);
  const query = { principals, id: event.pathParameters?.['id'] ?? '' };

  const found = await findPlant({ items, log }, query, signal).catch(throwServiceError);
  if (found === undefined) throw new ServiceError(catalogue.noSuchPlant);
  const { principal, plant, version, origin } = found;
  if (accepted !== undefined && !accepted.includes(version)) throw new ServiceError(catalogue.versionChanged);
  if (origin !== undefined)
    await records
      .markDeleted({ key: origin.request, id: plant.id }, origin.attempt, signal)
      .catch(throwServiceError);
  const key = { principal, id: plant.id };
  const condition = accepted === undefined ? undefined : { version };
  const isDeleted = await items.delete(key, condition, signal).catch(throwServiceError);
  // If nothing was deleted, the plant was changed meanwhile, or another request or an earlier attempt of this
  // request deleted it. With `If-Match`, a change is an error.
  if (!isDeleted && accepted !== undefined) {
    const current = await items.find(key, signal).catch(throwServiceError);
    if (current !== undefined) throw new ServiceError(catalogue.versionChanged);
  }
  return { statusCode: 204, headers: noStore };
};
