import { isJsonObject } from '../runtime/json-object.ts';
import { type Action, DynamoDbError, transientError } from './protocol.ts';

/** An attribute, ready to be written. */
type AttributeValue = { readonly S: string } | { readonly N: string } | { readonly BOOL: boolean };

type Attributes = Readonly<Record<string, AttributeValue>>;

interface ItemInput {
  readonly TableName: string;
  readonly Key: Attributes;
}

/** The condition of a write, without which DynamoDB always writes. */
interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
}

/** An item, whose attributes are unchecked. */
type UncheckedItem = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** GetItem (Amazon DynamoDB API Reference): the item with a key, if there is one. */
export const getItem: Action<
  ItemInput & { readonly ConsistentRead: true },
  { readonly item: UncheckedItem | undefined }
> = {
  name: 'GetItem',
  parseOutput: (output) => {
    const item = isJsonObject(output) ? output['Item'] : null;
    if (item === undefined || isItem(item)) return { item };
    throw transientError('MalformedItem');
  },
};

const isItem = (item: unknown): item is UncheckedItem =>
  isJsonObject(item) && Object.values(item).every(isJsonObject);

/** The parser for the output of a write, because this service needs none of it. */
const ignoreOutput = (): undefined => undefined;

/** PutItem: writes an item, and replaces an item with the same key. */
export const putItem: Action<
  { readonly TableName: string; readonly Item: Attributes } & Condition,
  undefined
> = { name: 'PutItem', parseOutput: ignoreOutput };

/** PutItem, which the client does not retry. */
export const putItemOnce: typeof putItem = { ...putItem, isSentOnce: true };

/** UpdateItem: changes some attributes of the item with a key. */
export const updateItem: Action<ItemInput & Condition & { readonly UpdateExpression: string }, undefined> = {
  name: 'UpdateItem',
  parseOutput: ignoreOutput,
};

/** DeleteItem: deletes the item with a key. */
export const deleteItem: Action<ItemInput & Condition, undefined> = {
  name: 'DeleteItem',
  parseOutput: ignoreOutput,
};

/** Whether a write did nothing, because its condition was false. */
export const isConditionFalse = (error: unknown): boolean =>
  error instanceof DynamoDbError && error.code === 'ConditionalCheckFailedException';
