import type { WriteRequest } from '@aws-sdk/client-dynamodb';
import { type IdentifiedPlant, itemOf } from '../../table/item.ts';
import type { Grant } from './plant-table.ts';

/** The request that puts a plant where a principal has access to it. */
export const putRequest = (principal: string, plant: IdentifiedPlant): WriteRequest => ({
  PutRequest: { Item: itemOf(principal, plant) },
});

/** The request that takes a grant away. */
export const deleteRequest = ({ principal, sortKey }: Grant): WriteRequest => ({
  DeleteRequest: { Key: { principal: { S: principal }, sortKey: { S: sortKey } } },
});
