import { z } from 'zod';
import { compareUtf8 } from '../../table/order.ts';
import { type PlantItem, plantsOf } from './plants.ts';

export const tableName = 'plants';

const stringValue = z.strictObject({ S: z.string() });

/** The partition, and optionally one bound of the sort key. */
const keyCondition = /^principal = (:\w+)(?: AND sortKey (>|<=) (:\w+))?$/;

/** The part of DynamoDB's Query that listing plants uses. A Query with more members is an error. */
const querySchema = z.strictObject({
  TableName: z.literal(tableName),
  KeyConditionExpression: z.string().regex(keyCondition),
  ExpressionAttributeValues: z.record(z.string(), stringValue),
  ExpressionAttributeNames: z.record(z.string(), z.string()).optional(),
  ProjectionExpression: z.string(),
  Limit: z.int().positive(),
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
  const [, principal = '', operator, boundName = ''] = keyCondition.exec(query.KeyConditionExpression) ?? [];
  const valueOf = (name: string): string => query.ExpressionAttributeValues[name]?.S ?? '';
  const bound = valueOf(boundName);
  const start = query.ExclusiveStartKey?.sortKey.S ?? (operator === '>' ? bound : '');

  const following = plantsOf(valueOf(principal)).filter(
    ({ sortKey }) =>
      compareUtf8(sortKey, start) > 0 && (operator !== '<=' || compareUtf8(sortKey, bound) <= 0),
  );
  const { items, hasReachedLimit } = resultOf(following, query.Limit);
  // At a limit, DynamoDB returns a key to continue from even if nothing follows.
  const last = hasReachedLimit ? items.at(-1) : undefined;
  const { ProjectionExpression: projection, ExpressionAttributeNames: names = {} } = query;
  const attributes = projection.split(/, ?/).map((name) => names[name] ?? name);
  return JSON.stringify({
    Count: items.length,
    ScannedCount: items.length,
    Items: items.map((item) => toAttributes(item, attributes)),
    ...(last && { LastEvaluatedKey: toAttributes(last, ['principal', 'sortKey']) }),
  });
};

interface Result {
  readonly items: readonly PlantItem[];
  readonly hasReachedLimit: boolean;
}

/** The first matching items: at most `limit`, and none after the one with which they exceed 1 MB. */
const resultOf = (matching: readonly PlantItem[], limit: number): Result => {
  let bytes = 0;
  for (const [index, item] of matching.entries()) {
    bytes += itemBytes(item);
    const count = index + 1;
    if (bytes > maxResultBytes || count === limit)
      return { items: matching.slice(0, count), hasReachedLimit: true };
  }
  return { items: matching, hasReachedLimit: false };
};

/** AWS: "DynamoDB item sizes and formats": the bytes of each name and each value. */
const itemBytes = (item: PlantItem): number => Buffer.byteLength(Object.entries(item).flat().join(''));

const toAttributes = (item: PlantItem, names: readonly string[]): Record<string, { readonly S: string }> =>
  Object.fromEntries(
    Object.entries(item)
      .filter(([name]) => names.includes(name))
      .map(([name, value]) => [name, { S: String(value) }]),
  );
