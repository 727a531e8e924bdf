import { z } from 'zod';
import { compareUtf8 } from '../../table/utf8.ts';
import { tableName } from '../lambda/environment.ts';
import { type PlantItem, plantsOf } from './plants.ts';

const stringValue = z.strictObject({ S: z.string() });

/** The part of DynamoDB's Query that listing plants uses. Anything else is an error. */
const querySchema = z.strictObject({
  TableName: z.literal(tableName),
  KeyConditionExpression: z.string(),
  ExpressionAttributeValues: z.record(z.string(), stringValue),
  ExpressionAttributeNames: z.record(z.string(), z.string()).optional(),
  ProjectionExpression: z.string().optional(),
  Limit: z.int().positive().optional(),
  ExclusiveStartKey: z.strictObject({ principal: stringValue, sortKey: stringValue }).optional(),
});

/** AWS: "Quotas in Amazon DynamoDB", result set of a Query. */
const maxResultBytes = 1024 * 1024;

/**
 * Returns items in key order as DynamoDB does: at most `Limit` items or 1 MB, with the key to continue from.
 * @param body the request's JSON text
 * @returns the response's JSON text
 */
export const queryResponse = (body: string): string => {
  const query = querySchema.parse(JSON.parse(body));
  const nameOf = (name: string): string => query.ExpressionAttributeNames?.[name] ?? name;
  const valueOf = (name: string): string | undefined => query.ExpressionAttributeValues[name]?.S;

  const [, partition = '', principalValue = '', sort = 'sortKey', operator, boundValue = ''] =
    /^(\S+) = (:\w+)(?: AND (\S+) (>|<=) (:\w+))?$/.exec(query.KeyConditionExpression) ?? [];
  const principal = valueOf(principalValue);
  if (nameOf(partition) !== 'principal' || principal === undefined || nameOf(sort) !== 'sortKey') {
    throw new Error(`Unsupported key condition: ${query.KeyConditionExpression}`);
  }
  const bound = valueOf(boundValue);
  const start = query.ExclusiveStartKey?.sortKey.S ?? (operator === '>' ? bound : undefined);
  const end = operator === '<=' ? bound : undefined;
  const { items, last } = firstItems(plantsOf(principal), { start, end, limit: query.Limit });
  const attributes = query.ProjectionExpression?.split(',').map((name) => nameOf(name.trim()));
  return JSON.stringify({
    Count: items.length,
    ScannedCount: items.length,
    Items: items.map((item) => toAttributes(item, attributes)),
    ...(last && { LastEvaluatedKey: toAttributes(last, ['principal', 'sortKey']) }),
  });
};

interface Range {
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly limit: number | undefined;
}

const firstItems = (
  all: readonly PlantItem[],
  { start, end, limit = Infinity }: Range,
): { readonly items: readonly PlantItem[]; readonly last?: PlantItem | undefined } => {
  const rest = all.filter(
    ({ sortKey }) =>
      (start === undefined || compareUtf8(sortKey, start) > 0) &&
      (end === undefined || compareUtf8(sortKey, end) <= 0),
  );
  let bytes = 0;
  const lastIndex = rest.findIndex((item, index) => {
    bytes += itemBytes(item);
    return bytes > maxResultBytes || index + 1 >= limit;
  });
  // With `Limit`, DynamoDB returns a key to continue from even if nothing follows.
  return lastIndex === -1 ? { items: rest } : { items: rest.slice(0, lastIndex + 1), last: rest[lastIndex] };
};

/** AWS: "DynamoDB item sizes and formats": the bytes of each name and each value. */
const itemBytes = (item: PlantItem): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) => sum + name.length + Buffer.byteLength(String(value)),
    0,
  );

const toAttributes = (item: PlantItem, names?: readonly string[]): Record<string, { readonly S: string }> =>
  Object.fromEntries(
    Object.entries(item)
      .filter(([name]) => names?.includes(name) ?? true)
      .map(([name, value]) => [name, { S: String(value) }]),
  );
