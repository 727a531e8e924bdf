import type { BatchWriteItemCommandOutput, WriteRequest } from '@aws-sdk/client-dynamodb';
import type { Item } from '../table/attributes.ts';
import { UserError } from '../terminal/user-error.ts';

// The AWS SDK checks no types of a response, and another server can be at the store's address.

/** The items of a Query or Scan. */
export const itemsIn = (items: unknown): readonly Item[] => {
  if (Array.isArray(items) && items.every(isItem)) return items;
  throw notDynamoDb();
};

/** The item of a GetItem's response; none if the table has no such item. */
export const itemIn = (item: unknown): readonly Item[] => itemsIn(item === undefined ? [] : [item]);

/**
 * The requests that a BatchWriteItem did not process. All names of tables in the response are accepted,
 * because DynamoDB can call the table by its ARN.
 */
export const unprocessedIn = ({
  UnprocessedItems: unprocessed,
}: BatchWriteItemCommandOutput): readonly WriteRequest[] => {
  if (!isObject(unprocessed)) throw notDynamoDb();
  const lists = Object.values(unprocessed);
  if (lists.every((list) => Array.isArray(list) && list.every(isObject))) return lists.flat();
  throw notDynamoDb();
};

export const notDynamoDb = (): UserError =>
  new UserError(
    'The response is not one of DynamoDB. Check the address of the store, the network and the proxy; ' +
      'then run the same command again.',
  );

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isItem = (value: unknown): value is Item => isObject(value) && Object.values(value).every(isObject);
