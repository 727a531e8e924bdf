import { changedPlant, changeIn, type FieldChange } from '../../table/json-fields.ts';
import { nextVersion } from '../../table/version.ts';
import type { Respond } from '../http/build-handler.ts';
import { acceptedVersions } from '../http/etag.ts';
import type { HttpEvent } from '../http/payload-format.ts';
import { principalsOf } from '../http/principals.ts';
import { jsonBody } from '../http/request-body.ts';
import { resourceResponse } from '../http/resource-response.ts';
import { ServiceError } from '../http/service-error.ts';
import { findPlant, type FoundPlant } from '../plant-store/find-plant.ts';
import type { ItemDependencies } from '../plant-store/item-dependencies.ts';
import { catalogue, throwServiceError } from './errors.ts';

/**
 * `PATCH /plants/{id}`: changes some fields of a plant (RFC 7396), if `If-Match` has the plant's version. A
 * repetition of the request gets the first response again, unless another change was made since. `If-Match`
 * is checked first, then the body, then the plant.
 */
export const respond: Respond<ItemDependencies> = async ({ items, log, now }, event, signal) => {
  const principals = principalsOf(event, now());
  const accepted = acceptedVersions(event);
  if (accepted === undefined) throw new ServiceError(catalogue.conditionRequired);
  const change = fieldChangeIn(event);
  const query = { principals, id: event.pathParameters?.['id'] ?? '' };

  const found = await findPlant({ items, log }, query, signal).catch(throwServiceError);
  if (found === undefined) throw new ServiceError(catalogue.noSuchPlant);
  const { principal, plant, version } = found;
  // A repetition is recognized first, because `If-Match` can name the result of the change, too.
  if (isMade(found, accepted, change)) return resourceResponse(plant, found);
  if (!accepted.includes(version)) throw new ServiceError(catalogue.versionChanged);
  const update = { change, version, nextVersion: nextVersion(version, change) };
  if (await items.change({ principal, id: plant.id }, update, signal).catch(throwServiceError))
    return resourceResponse(changedPlant(plant, change), { version: update.nextVersion });
  // Another change was faster, or an earlier attempt made this change and DynamoDB's response was lost.
  const current = await findPlant({ items, log }, query, signal).catch(throwServiceError);
  if (current === undefined) throw new ServiceError(catalogue.noSuchPlant);
  if (!isMade(current, accepted, change)) throw new ServiceError(catalogue.versionChanged);
  return resourceResponse(current.plant, current);
};

/**
 * Whether the last change of a plant was this one, made to an accepted version. A repetition of the change
 * then gets the first response again (RFC 9110 section 13.1.1 allows this).
 */
const isMade = ({ version }: FoundPlant, accepted: readonly string[], change: FieldChange): boolean =>
  accepted.some((before) => nextVersion(before, change) === version);

const fieldChangeIn = (event: HttpEvent): FieldChange => {
  const { values, problem } = changeIn(jsonBody(event, mediaTypes));
  if (problem !== undefined) throw new ServiceError({ ...catalogue.invalidField, message: problem });
  return values;
};

const mediaTypes = ['application/merge-patch+json', 'application/json'];
