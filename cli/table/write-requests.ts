import type { WriteRequest } from '@aws-sdk/client-dynamodb';
import { itemOf } from '../../table/item.ts';
import type { IdentifiedPlant } from '../../table/plant.ts';
import type { Principal } from '../../table/principal.ts';
import { type GrantKey, keyOf } from './grant.ts';

/** The request that grants a plant to a principal. */
export const putRequest = (principal: Principal, plant: IdentifiedPlant): WriteRequest => ({
  PutRequest: { Item: itemOf(principal, plant) },
});

/** The request that revokes a grant. */
export const deleteRequest = (key: GrantKey): WriteRequest => ({ DeleteRequest: { Key: keyOf(key) } });
