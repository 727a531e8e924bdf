import type { AttributeValue, PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { StoredItem } from './grant.ts';

type Condition = Pick<
  PutItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

const keys: readonly string[] = ['principal', 'sortKey'];
/** An item can gain these. Others that it gains are not noticed: a condition cannot say "no other attribute". */
const known = ['name', 'tag', 'plantId'];

/** AWS: an expression has at most 300 operators and 4 KB. */
const maxCompared = 100;

/** The condition of a write that an item is still as it was read, or still missing. */
export const unchanged = (item: StoredItem | undefined): Condition => {
  if (item === undefined) return { ConditionExpression: 'attribute_not_exists(principal)' };
  const names = [...new Set([...known, ...Object.keys(item)])]
    .filter((each) => !keys.includes(each))
    .slice(0, maxCompared);
  const values: Record<string, AttributeValue> = {};
  const terms = names.map((name, index) => {
    const [attribute, value] = [`#${String(index)}`, item[name]];
    if (value === undefined) return `attribute_not_exists(${attribute})`;
    // dynalite takes no map or list for equal to another.
    if (value.M !== undefined || value.L !== undefined) return `attribute_exists(${attribute})`;
    values[`:${String(index)}`] = value;
    return `${attribute} = :${String(index)}`;
  });
  return {
    ConditionExpression: ['attribute_exists(principal)', ...terms].join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#${String(index)}`, name])),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
};
