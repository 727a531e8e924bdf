import { type Item, textOf } from '../../table/attributes.ts';
import { itemKey, primaryKey } from '../../table/keys.ts';
import {
  expiryAttribute,
  isRequestState,
  type RequestKey,
  type RequestRecord,
  type RequestedPlant,
  requestSortKey,
  type RequestState,
} from '../../table/request-record.ts';
import type { DynamoDbClient } from '../dynamodb/client.ts';
import { getItem, putItem, updateItem } from '../dynamodb/item-actions.ts';
import { isWritten } from './dynamodb-plant-items.ts';
import { throwStoreError } from './dynamodb-plant-store.ts';
import type { RequestRecords } from './plant-items.ts';

/** The records of requests in the table of the plants. */
export const dynamoDbRequestRecords = (client: DynamoDbClient, TableName: string): RequestRecords => ({
  start: ({ key, contentHash, id, state, expires }, now, signal) => {
    const input = {
      TableName,
      Item: {
        ...itemKey(key, requestSortKey),
        contentHash: { S: contentHash },
        id: { S: id },
        state: { S: state },
        [expiryAttribute]: { N: String(expires) },
      },
      // DynamoDB deletes an expired record only days later, so the condition treats it as missing.
      ConditionExpression: `attribute_not_exists(${primaryKey.partitionKey}) OR #expires <= :now`,
      ExpressionAttributeNames: { '#expires': expiryAttribute },
      ExpressionAttributeValues: { ':now': { N: String(Math.floor(now / 1000)) } },
    };
    return isWritten(client.send(putItem, input, signal));
  },

  find: async (key, signal) => {
    const input = { TableName, Key: itemKey(key, requestSortKey), ConsistentRead: true } as const;
    const { item } = await client.send(getItem, input, signal).catch(throwStoreError);
    return item === undefined ? undefined : parseRecord(key, item);
  },

  finish: (plant, signal) =>
    isWritten(
      client.send(
        updateItem,
        {
          ...recordOf(TableName, plant),
          UpdateExpression: 'SET #state = :done',
          ConditionExpression: `${isOfPlant} AND #state = :started`,
          ExpressionAttributeNames: names,
          ExpressionAttributeValues: {
            ':id': { S: plant.id },
            ...{ ':started': stateValue('started'), ':done': stateValue('done') },
          },
        },
        signal,
      ),
    ),

  markDeleted: async (plant, attempt, signal) => {
    const input = {
      ...recordOf(TableName, plant),
      UpdateExpression: 'SET #state = :deleted, deletedAttempt = :attempt',
      ConditionExpression: `${isOfPlant} AND #state <> :deleted`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: {
        ':id': { S: plant.id },
        ...{ ':deleted': stateValue('deleted'), ':attempt': { S: attempt } },
      },
    };
    await isWritten(client.send(updateItem, input, signal));
  },
});

/** The plant's own record may have expired, and may have been replaced by the record of another plant. */
const isOfPlant = 'id = :id';
const names = { '#state': 'state' };

const stateValue = (state: RequestState) => ({ S: state });

const recordOf = (TableName: string, { key }: RequestedPlant) => ({
  TableName,
  Key: itemKey(key, requestSortKey),
});

/** @throws {Error} if the record is damaged, because a repetition must not add a second plant */
const parseRecord = (key: RequestKey, item: Item): RequestRecord => {
  const [contentHash, id, state] = [textOf(item['contentHash']), textOf(item['id']), textOf(item['state'])];
  const expires = Number(item[expiryAttribute]?.N);
  if (contentHash === undefined || id === undefined || !isRequestState(state) || Number.isNaN(expires))
    throw new Error(
      'The record of a request is damaged: contentHash, id, state or expires is missing or not valid.',
    );
  const deletedAttempt = textOf(item['deletedAttempt']);
  return { key, contentHash, id, state, expires, ...(deletedAttempt !== undefined && { deletedAttempt }) };
};
