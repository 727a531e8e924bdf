import {
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type BatchWriter, batchWriter, type WriteOnce } from './batch-writer.ts';
import { type Grant, keyFrom, keyOf, type StoredItem } from './grant.ts';
import type { Wait } from './patience.ts';
import { unchanged } from './unchanged.ts';

/** What the commands write. */
export interface TableWrites {
  readonly writeOnce: WriteOnce;
  /** Writes without conditions, in batches. */
  readonly writer: () => BatchWriter;
  /**
   * Puts one item in place of another of the same key. One of them can be missing.
   * @returns false, and does nothing, when the other is no longer what was read
   */
  readonly replace: (item: StoredItem | undefined, read: StoredItem | undefined) => Promise<boolean>;
  /** Writes the id under which the index has an item. @returns false when that, or the item, changed meanwhile */
  readonly setPlantId: (read: Grant, id: string) => Promise<boolean>;
}

export const tableWrites = (client: DynamoDBClient, name: string, wait: Wait): TableWrites => {
  const writeOnce: WriteOnce = async (requests) => {
    const { UnprocessedItems: left = {} } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [name]: [...requests] } }),
    );
    return left[name] ?? [];
  };

  return {
    writeOnce,
    writer: () => batchWriter(writeOnce, wait),
    replace: async (item, read) => {
      const condition = { TableName: name, ...unchanged(read) };
      if (item !== undefined) return succeeds(client.send(new PutItemCommand({ ...condition, Item: item })));
      if (read === undefined) return true;
      return succeeds(client.send(new DeleteItemCommand({ ...condition, Key: keyOf(keyFrom(read)) })));
    },
    setPlantId: ({ item: { plantId }, ...key }, id) =>
      succeeds(
        client.send(
          new UpdateItemCommand({
            TableName: name,
            Key: keyOf(key),
            UpdateExpression: 'SET plantId = :id',
            ConditionExpression: `attribute_exists(principal) AND ${plantId === undefined ? 'attribute_not_exists(plantId)' : 'plantId = :read'}`,
            ExpressionAttributeValues: {
              ':id': { S: id },
              ...(plantId !== undefined && { ':read': plantId }),
            },
          }),
        ),
      ),
  };
};

/** @returns false when the condition of a write is not met */
const succeeds = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};
