import { createHash } from 'node:crypto';
import { z } from 'zod';
import { dynamoDbTable } from '../../test/support/dynamodb-table.ts';
import { unsignedClient } from './protocol.ts';
import type { PlantItem } from './rows.ts';

const batchSize = 25;
const connections = 16;

const written = z.object({
  UnprocessedItems: z.record(z.string(), z.unknown()),
  ConsumedCapacity: z.array(z.object({ CapacityUnits: z.number() })),
});
const page = z.object({
  Items: z.array(z.unknown()),
  LastEvaluatedKey: z.unknown().optional(),
  ScannedCount: z.number(),
  ConsumedCapacity: z.object({ CapacityUnits: z.number() }),
});

/** What a table's content cost. */
export interface Cost {
  readonly items: number;
  readonly units: number;
  readonly seconds: number;
}

const secondsSince = (start: number): number => Number(((performance.now() - start) / 1000).toFixed(1));

/** Creates a table of plants. */
export const newTable = async (endpoint: string, name: string, hasIndex = true): Promise<void> => {
  const table = dynamoDbTable(endpoint, name);
  await table.create({ hasIndex });
  table.close();
};

/** Writes items on several connections. */
export const load = async (endpoint: string, table: string, items: Iterable<PlantItem>): Promise<Cost> => {
  const client = unsignedClient(endpoint);
  const start = performance.now();
  const source = items[Symbol.iterator]();
  let count = 0;
  let units = 0;
  const connection = async (): Promise<void> => {
    for (;;) {
      const batch: object[] = [];
      while (batch.length < batchSize) {
        const next = source.next();
        if (next.done === true) break;
        batch.push({ PutRequest: { Item: next.value } });
      }
      if (batch.length === 0) return;
      const response = await client.send('BatchWriteItem', {
        RequestItems: { [table]: batch },
        ReturnConsumedCapacity: 'INDEXES',
      });
      const { UnprocessedItems: left, ConsumedCapacity: consumed } = written.parse(JSON.parse(response));
      if (Object.keys(left).length > 0) throw new Error('The store did not accept all items.');
      count += batch.length;
      for (const each of consumed) units += each.CapacityUnits;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  client.close();
  return { items: count, units, seconds: secondsSince(start) };
};

/** Reads a whole table, one page after the other. */
export const scan = async (
  endpoint: string,
  table: string,
  input: object = {},
  onItems: (items: readonly unknown[]) => void = () => undefined,
): Promise<Cost> => {
  const client = unsignedClient(endpoint);
  const start = performance.now();
  let [items, units] = [0, 0];
  let position: unknown;
  do {
    const response = page.parse(
      JSON.parse(
        await client.send('Scan', {
          TableName: table,
          ConsistentRead: true,
          ReturnConsumedCapacity: 'TOTAL',
          ...(position !== undefined && { ExclusiveStartKey: position }),
          ...input,
        }),
      ),
    );
    onItems(response.Items);
    items += response.ScannedCount;
    units += response.ConsumedCapacity.CapacityUnits;
    position = response.LastEvaluatedKey;
  } while (position !== undefined);
  client.close();
  return { items, units, seconds: secondsSince(start) };
};

/** A hash over all items in the order of their keys. */
export const contentHash = async (endpoint: string, table: string): Promise<string> => {
  const lines: string[] = [];
  await scan(endpoint, table, {}, (items) => {
    for (const item of z.array(z.record(z.string(), z.unknown())).parse(items))
      lines.push(
        JSON.stringify(
          ['principal', 'sortKey', ...Object.keys(item).toSorted()].map((name) => [name, item[name]]),
        ),
      );
  });
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex');
};
