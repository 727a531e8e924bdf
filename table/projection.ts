import type { Fields } from './field-kinds.ts';
import { fields } from './fields.ts';
import { primaryKey } from './keys.ts';

/** The part of a Query that says which attributes it returns. */
interface Projection {
  readonly ProjectionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
}

/**
 * The sort key and the declared fields. Placeholders are numbered, because the name of a field can be a
 * reserved word, or have characters that a placeholder cannot have.
 */
export const projectionOf = (declared: Fields): Projection => {
  const names = Object.fromEntries(
    Object.keys(declared).map((name, index) => [`#f${String(index)}`, name] as const),
  );
  return {
    ProjectionExpression: [primaryKey.sortKey, ...Object.keys(names)].join(', '),
    ExpressionAttributeNames: names,
  };
};

/** Attributes that a Query must return for `parseItem`. */
export const projection = projectionOf(fields);
