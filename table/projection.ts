import { fields } from './fields.ts';
import { primaryKey } from './keys.ts';

/** The `#` allows fields that are reserved words, such as `name`. */
const fieldNames = Object.fromEntries(Object.keys(fields).map((name) => [`#${name}`, name]));

/** Attributes that a Query must return for `parseItem`. */
export const projection = {
  ProjectionExpression: [primaryKey.sortKey, ...Object.keys(fieldNames)].join(', '),
  ExpressionAttributeNames: fieldNames,
} as const;
