import type { Fields } from './field-kinds.ts';
import { fields } from './fields.ts';
import { primaryKey } from './keys.ts';

/**
 * The names of fields by their placeholders in an expression. Placeholders are numbered, because the name of
 * a field can be a reserved word, or have characters that a placeholder cannot have.
 */
export const placeholdersOf = (declared: Fields): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(declared).map((name, index) => [`#f${String(index)}`, name]));

const placeholders = placeholdersOf(fields);

/** Attributes that a Query must return for `parseItem`. */
export const projection = {
  ProjectionExpression: [primaryKey.sortKey, ...Object.keys(placeholders)].join(),
  ExpressionAttributeNames: placeholders,
} as const;
