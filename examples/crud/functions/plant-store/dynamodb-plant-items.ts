import { attributeOf, type WrittenAttribute } from '../../table/field-kinds.ts';
import { itemAttributes, itemOf, parseVersionedItem } from '../../table/item.ts';
import { itemKey, primaryKey } from '../../table/keys.ts';
import type { FieldChange } from '../../table/json-fields.ts';
import type { DynamoDbClient } from '../dynamodb/client.ts';
import {
  deleteItem,
  getItem,
  isConditionFalse,
  putItem,
  putItemOnce,
  updateItem,
} from '../dynamodb/item-actions.ts';
import { throwStoreError } from './dynamodb-plant-store.ts';
import type { DeletionCondition, PlantItems } from './plant-items.ts';

const ifNew = `attribute_not_exists(${primaryKey.partitionKey})`;
const ifExists = `attribute_exists(${primaryKey.partitionKey})`;
const ifUnchanged = '#version = :version';
const versionName = { '#version': itemAttributes.version };

/** Single plants in a DynamoDB table, whose items `table/` describes. */
export const dynamoDbPlantItems = (client: DynamoDbClient, TableName: string): PlantItems => ({
  find: async ({ principal, id }, signal) => {
    const input = { TableName, Key: itemKey(principal, id), ConsistentRead: true } as const;
    const { item } = await client.send(getItem, input, signal).catch(throwStoreError);
    return item === undefined ? undefined : (parseVersionedItem(item) ?? 'damaged');
  },

  add: async ({ principal, plant, origin }, signal) => {
    const Item = {
      ...itemOf(principal, plant),
      ...(origin !== undefined && {
        [itemAttributes.request]: { S: origin.request },
        [itemAttributes.attempt]: { S: origin.attempt },
      }),
    };
    const input = { TableName, Item, ConditionExpression: ifNew };
    const put = origin === undefined ? putItem : putItemOnce;
    await isWritten(client.send(put, input, signal));
  },

  change: ({ principal, id }, { change, version, nextVersion }, signal) => {
    const update = updateOf(change);
    const input = {
      TableName,
      Key: itemKey(principal, id),
      UpdateExpression: update.expression,
      ConditionExpression: ifUnchanged,
      ExpressionAttributeNames: { ...versionName, ...update.names },
      ExpressionAttributeValues: {
        ':version': { S: version },
        ':nextVersion': { S: nextVersion },
        ...update.values,
      },
    };
    return isWritten(client.send(updateItem, input, signal));
  },

  delete: ({ principal, id }, condition, signal) => {
    const input = {
      TableName,
      Key: itemKey(principal, id),
      ...(condition === undefined ? { ConditionExpression: ifExists } : expressionOf(condition)),
    };
    return isWritten(client.send(deleteItem, input, signal));
  },
});

/** The condition that an attribute of the item has a value. */
const expressionOf = (condition: DeletionCondition) => {
  const [name, value] =
    'version' in condition
      ? [itemAttributes.version, condition.version]
      : [itemAttributes.attempt, condition.attempt];
  return {
    ConditionExpression: '#name = :value',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': { S: value } },
  };
};

/**
 * The update of a change: `SET` for the version and each new value, `REMOVE` for each removed field.
 * Placeholders are numbered, because a field can have the name of another placeholder, or characters that no
 * placeholder can have.
 */
const updateOf = (change: FieldChange) => {
  const assignments = ['#version = :nextVersion'];
  const removals: string[] = [];
  const names: Record<string, string> = {};
  const values: Record<string, WrittenAttribute> = {};
  for (const [index, [name, value]] of Object.entries(change).entries()) {
    const placeholder = `f${String(index)}`;
    names[`#${placeholder}`] = name;
    if (value === null) removals.push(`#${placeholder}`);
    else {
      assignments.push(`#${placeholder} = :${placeholder}`);
      values[`:${placeholder}`] = attributeOf(value);
    }
  }
  const removal = removals.length > 0 ? ` REMOVE ${removals.join(', ')}` : '';
  return { expression: `SET ${assignments.join(', ')}${removal}`, names, values };
};

/** Whether a conditional write was made; false if its condition did not hold. */
export const isWritten = (sent: Promise<unknown>): Promise<boolean> =>
  sent.then(
    () => true,
    (error: unknown) => (isConditionFalse(error) ? false : throwStoreError(error)),
  );
