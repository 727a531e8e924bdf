import { z } from 'zod';

/** A table in which each principal has as many plants of one size. */
export interface TableShape {
  /** The size of an item in DynamoDB. */
  readonly itemBytes: number;
  /** How many plants each principal has. */
  readonly plants: number;
  readonly names: NameOrder;
}

/** Where the principals' plants are in the list: one principal after the other, in turn, or the same plants for all. */
export const nameOrder = z.enum(['disjoint', 'alternating', 'identical']);
export type NameOrder = z.infer<typeof nameOrder>;

/** A caller with the most groups that a token may have. */
export const principalCount = 101;
const userName = 'u000';
const groupName = (index: number): string => `g${String(index).padStart(3, '0')}`;

/** The caller in the authorizer's context. */
export const caller = {
  subject: userName,
  groups: Array.from({ length: principalCount - 1 }, (_, index) => groupName(index + 1)),
};

interface StoredItem {
  readonly sortKey: string;
  readonly name: string;
  readonly tag?: string;
}

const attributeNameBytes = 'principalsortKeyname'.length;
const numberDigits = 8;

/** The first principal's items are one byte smaller, because `user` is shorter than `group`. */
const principalBytes = 'group#g000'.length;

/** An item of exactly the shape's size, at a position of the whole list. */
const itemAt = ({ itemBytes }: TableShape, position: number): StoredItem => {
  const number = String(position).padStart(numberDigits, '0');
  const rest = itemBytes - attributeNameBytes - principalBytes;
  if (rest < 50) {
    // The name occurs in the sort key again, and U+0000 and the id follow it.
    const name = `rose${number}`;
    return { name, sortKey: `${name}\u0000${'1'.repeat(rest - 2 * name.length - 1)}` };
  }
  const name = `Monstera ${number}`.padEnd(20, '.');
  const tag = 'half shad';
  const id = String(position).padStart(rest - 2 * name.length - 1 - 'tag'.length - tag.length, '0');
  return { name, sortKey: `${name}\u0000${id}`, tag };
};

const positionOf = ({ names, plants }: TableShape, principal: number, index: number): number => {
  switch (names) {
    case 'disjoint':
      return principal * plants + index;
    case 'alternating':
      return index * principalCount + principal;
    case 'identical':
      return index;
  }
};

const indexOf = ({ names, plants }: TableShape, principal: number, position: number): number => {
  switch (names) {
    case 'disjoint':
      return position - principal * plants;
    case 'alternating':
      return (position - principal) / principalCount;
    case 'identical':
      return position;
  }
};

const querySchema = z.object({
  KeyConditionExpression: z.templateLiteral([
    'principal = :principal',
    z.enum(['', ' AND sortKey > :after']),
  ]),
  ExpressionAttributeValues: z.object({
    ':principal': z.object({ S: z.string() }),
    ':after': z.object({ S: z.string() }).optional(),
  }),
  Limit: z.int().positive().optional(),
});

/** AWS: "Quotas in Amazon DynamoDB", result set of a Query. */
const maxPageBytes = 1024 * 1024;

/**
 * Answers a Query as DynamoDB does: at most `Limit` items or 1 MB, with the key to continue from.
 * @returns the response's JSON text
 */
export const queryResponse = (shape: TableShape, body: string): string => {
  const { ExpressionAttributeValues: values, Limit: limit = Infinity } = querySchema.parse(JSON.parse(body));
  // What a function queries during initialization is no principal of the table.
  const principal = Number(/^(?:user#u|group#g)(\d{3})$/.exec(values[':principal'].S)?.[1]);
  const after = values[':after']?.S;
  const position = Number(/\d+/.exec(after ?? '')?.[0]);
  const start = after === undefined ? 0 : indexOf(shape, principal, position) + 1;
  const most = Math.min(limit, Math.floor(maxPageBytes / shape.itemBytes));
  const count = Number.isNaN(principal) ? 0 : Math.min(most, shape.plants - start);
  const items = Array.from({ length: count }, (_, index) =>
    itemAt(shape, positionOf(shape, principal, start + index)),
  );
  const last = items.at(-1)?.sortKey;
  return JSON.stringify({
    Count: count,
    ScannedCount: count,
    Items: items.map(({ sortKey, name, tag }) => ({
      sortKey: { S: sortKey },
      name: { S: name },
      ...(tag !== undefined && { tag: { S: tag } }),
    })),
    // With a full page, DynamoDB returns a key to continue from even if nothing follows.
    ...(count === most &&
      last !== undefined && {
        LastEvaluatedKey: { principal: values[':principal'], sortKey: { S: last } },
      }),
  });
};
