import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { setTimeout as delay } from 'node:timers/promises';
import { storeLogin } from '../../../terminal/local-service.ts';
import { itemOf as plantItem } from '../../../table/item.ts';
import { identified } from '../../../table/plant.ts';
import type { Principal } from '../../../table/principal.ts';
import { idIn } from '../../../table/sort-key.ts';
import { tableDefinition } from '../../../table/table-definition.ts';
import type { Item } from '../../contract/target.ts';
import type { TableItem } from './memory-plant-store.ts';

/** Region and credentials for stores that accept any credentials. */
export const { region, credentials } = storeLogin;

/** The item of a plant, or a damaged item. */
export const itemOf = (principal: Principal, item: TableItem): Item =>
  'plant' in item
    ? plantItem(principal, identified(idIn(item.sortKey), item.plant))
    : { principal: { S: principal }, sortKey: { S: item.sortKey } };

type StoredItem = Record<string, AttributeValue>;

/** A table with the service's keys and index, in any store with DynamoDB's protocol. */
export interface DynamoDbTable {
  readonly create: () => Promise<void>;
  readonly put: (items: readonly StoredItem[]) => Promise<void>;
  readonly remove: (keys: readonly StoredItem[]) => Promise<void>;
  readonly close: () => void;
}

/** A table of a local store, or of an emulator with its own credentials. */
export const dynamoDbTable = (endpoint: string, tableName: string, login = credentials): DynamoDbTable =>
  tableOf(new DynamoDBClient({ endpoint, region, credentials: login }), tableName);

/** @param client is closed with the table */
export const tableOf = (client: DynamoDBClient, tableName: string): DynamoDbTable => {
  const write = async (requests: readonly WriteRequest[]): Promise<void> => {
    // DynamoDB accepts 25 requests in a batch, and each key once.
    for (let start = 0; start < requests.length; start += 25) {
      let left = requests.slice(start, start + 25);
      while (left.length > 0) {
        const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: left } });
        left = (await client.send(command)).UnprocessedItems?.[tableName] ?? [];
        if (left.length > 0) await delay(100);
      }
    }
  };
  const lastOfEachKey = (items: readonly StoredItem[]): readonly StoredItem[] => [
    ...new Map(items.map((each) => [JSON.stringify([each['principal'], each['sortKey']]), each])).values(),
  ];
  return {
    create: async () => {
      await client.send(new CreateTableCommand(tableDefinition(tableName)));
    },
    put: (items) => write(lastOfEachKey(items).map((Item) => ({ PutRequest: { Item } }))),
    remove: (keys) => write(lastOfEachKey(keys).map((Key) => ({ DeleteRequest: { Key } }))),
    close: () => {
      client.destroy();
    },
  };
};
