import { type Item, textOf } from '../../table/attributes.ts';
import { itemKey, primaryKey } from '../../table/keys.ts';
import {
  expiryAttribute,
  isRequestState,
  type RequestKey,
  type RequestRecord,
  requestSortKey,
  secondsToRepeat,
} from '../../table/request-record.ts';
import type { DynamoDbClient } from '../dynamodb/client.ts';
import { getItem, putItem, updateItem } from '../dynamodb/item-actions.ts';
import { isWritten } from './dynamodb-plant-items.ts';
import { throwStoreError } from './dynamodb-plant-store.ts';
import type { RequestRecords } from './plant-items.ts';

/** The records of requests in the table of the plants. */
export const dynamoDbRequestRecords = (client: DynamoDbClient, TableName: string): RequestRecords => ({
  start: ({ key, contentHash, id, state }, now, signal) => {
    const seconds = Math.floor(now / 1000);
    const input = {
      TableName,
      Item: {
        ...itemKey(key, requestSortKey),
        contentHash: { S: contentHash },
        id: { S: id },
        state: { S: state },
        [expiryAttribute]: { N: String(seconds + secondsToRepeat) },
      },
      // DynamoDB deletes an expired record within a few days, so its age is a condition, too.
      ConditionExpression: `attribute_not_exists(${primaryKey.partitionKey}) OR #expires <= :now`,
      ExpressionAttributeNames: { '#expires': expiryAttribute },
      ExpressionAttributeValues: { ':now': { N: String(seconds) } },
    };
    return isWritten(client.send(putItem, input, signal));
  },

  find: async (key, signal) => {
    const input = { TableName, Key: itemKey(key, requestSortKey), ConsistentRead: true } as const;
    const { item } = await client.send(getItem, input, signal).catch(throwStoreError);
    return item === undefined ? undefined : parseRecord(key, item);
  },

  move: (key, from, to, signal) => {
    const values = Object.fromEntries(from.map((state, index) => [`:from${String(index)}`, { S: state }]));
    const input = {
      TableName,
      Key: itemKey(key, requestSortKey),
      UpdateExpression: 'SET #state = :to',
      ConditionExpression: `#state IN (${Object.keys(values).join(', ')})`,
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ...values, ':to': { S: to } },
    };
    return isWritten(client.send(updateItem, input, signal));
  },
});

/** @throws {Error} if the record is damaged: a repetition must not add a second plant */
const parseRecord = (key: RequestKey, item: Item): RequestRecord => {
  const [contentHash, id, state] = [textOf(item['contentHash']), textOf(item['id']), textOf(item['state'])];
  if (contentHash === undefined || id === undefined || !isRequestState(state))
    throw new Error('The record of a request is damaged.');
  return { key, contentHash, id, state };
};
