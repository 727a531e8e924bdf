import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { credentials, region } from './dynamodb-table.ts';

/** All items of a table, a line of JSON each: two tables are equal if their texts are. */
export const contentOf = async (endpoint: string, tableName: string): Promise<readonly string[]> => {
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const lines: string[] = [];
  for await (const { Items: items = [] } of paginateScan({ client }, { TableName: tableName }))
    lines.push(...items.map((item) => JSON.stringify(sorted(item))));
  client.destroy();
  return lines.sort();
};

const sorted = (item: Record<string, AttributeValue>): unknown =>
  Object.entries(item)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, withText(value)]);

/** Bytes as text, and the members of sets in one order. */
const withText = (value: AttributeValue): unknown => {
  if (value.B !== undefined) return { B: Buffer.from(value.B).toString('hex') };
  if (value.BS !== undefined) return { BS: value.BS.map((each) => Buffer.from(each).toString('hex')).sort() };
  if (value.SS !== undefined) return { SS: value.SS.toSorted() };
  if (value.NS !== undefined) return { NS: value.NS.toSorted() };
  if (value.L !== undefined) return { L: value.L.map(withText) };
  return value.M === undefined ? value : { M: sorted(value.M) };
};
