import { fieldsIn } from '../../table/json-fields.ts';
import type { PlantFields } from '../../table/plant.ts';
import { type Principal, principalOf } from '../../table/principal.ts';
import { type RequestKey, requestKeyOf } from '../../table/request-record.ts';
import { digestOf, firstVersion } from '../../table/version.ts';
import type { Respond } from '../http/build-handler.ts';
import { lastSegment } from '../http/last-segment.ts';
import type { HttpEvent } from '../http/payload-format.ts';
import { principalsOf } from '../http/principals.ts';
import { queryParameters } from '../http/query-parameters.ts';
import { jsonBody } from '../http/request-body.ts';
import { resourceResponse } from '../http/resource-response.ts';
import { ServiceError } from '../http/service-error.ts';
import type { ItemDependencies } from '../plant-store/item-dependencies.ts';
import { addOnce } from './add-once.ts';
import { catalogue, throwServiceError } from './errors.ts';

/**
 * `POST /plants`: adds a plant to the user, or to a group that the caller is in. With an `Idempotency-Key`,
 * the same request adds one plant, however often it is sent. The key is checked first, then the group, then
 * the body.
 */
export const respond: Respond<ItemDependencies> = async (dependencies, event, signal) => {
  const principals = principalsOf(event, dependencies.now());
  const [caller] = principals;
  const key = requestKeyIn(event, caller);
  const principal = ownerIn(event, principals);
  const fields = plantFieldsIn(event);
  const adding =
    key === undefined
      ? add(dependencies, { principal, fields }, signal)
      : addOnce(dependencies, { principal, fields, key, contentHash: digestOf(principal, fields) }, signal);
  const plant = await adding.catch(throwServiceError);
  return resourceResponse(plant, {
    version: firstVersion(principal, plant),
    statusCode: 201,
    headers: { Location: `${lastSegment(event)}/${plant.id}` },
  });
};

const add = async (
  { items, newId }: ItemDependencies,
  { principal, fields }: { readonly principal: Principal; readonly fields: PlantFields },
  signal: AbortSignal,
) => {
  const plant = { id: newId(), ...fields };
  await items.add({ principal, plant }, signal);
  return plant;
};

/** The partition key of the request's record; undefined without an `Idempotency-Key`. */
const requestKeyIn = ({ headers }: HttpEvent, caller: Principal): RequestKey | undefined => {
  const key = headers?.['idempotency-key'];
  if (key === undefined) return undefined;
  if (!/^[!-~]{1,255}$/.test(key)) throw new ServiceError(catalogue.invalidKey);
  return requestKeyOf(caller, key);
};

/** The principal that gets the plant: the group in the query string, or else the user. */
const ownerIn = (
  event: HttpEvent,
  principals: readonly [user: Principal, ...groups: Principal[]],
): Principal => {
  const [user, ...groups] = principals;
  const [group, ...repeated] = queryParameters(event).getAll('group');
  if (group === undefined) return user;
  const principal = principalOf('group', group);
  if (repeated.length > 0 || !groups.includes(principal)) throw new ServiceError(catalogue.invalidGroup);
  return principal;
};

const plantFieldsIn = (event: HttpEvent): PlantFields => {
  const { values, problem } = fieldsIn(jsonBody(event, ['application/json']));
  if (problem !== undefined) throw new ServiceError({ ...catalogue.invalidField, message: problem });
  return values;
};
