import { type Field, type Fields, type FieldValue, type FieldValues, isStoredValue } from './field-kinds.ts';

/** An attribute in DynamoDB's protocol, unchecked: a string, a number as text, or a boolean. */
export type Attribute =
  { readonly S?: unknown; readonly N?: unknown; readonly BOOL?: unknown } | null | undefined;

/** An item as DynamoDB returns it. */
export type Item = Readonly<Record<string, Attribute>>;

/** An attribute, ready to be written. */
export type WrittenAttribute = { readonly S: string } | { readonly N: string } | { readonly BOOL: boolean };

const attributeOf = (value: FieldValue): WrittenAttribute => {
  if (typeof value === 'string') return { S: value };
  return typeof value === 'number' ? { N: String(value) } : { BOOL: value };
};

/** The attributes of the declared fields that have values. */
export const attributesOf = (
  fields: Fields,
  values: Readonly<Record<string, FieldValue | undefined>>,
): Readonly<Record<string, WrittenAttribute>> => {
  const attributes: Record<string, WrittenAttribute> = {};
  for (const name of Object.keys(fields)) {
    const value = values[name];
    if (value !== undefined) attributes[name] = attributeOf(value);
  }
  return attributes;
};

/**
 * Returns a function that reads the declared fields of an item, or undefined if a field is damaged or a
 * required field is missing.
 */
export const fieldReader = <Declared extends Fields>(
  fields: Declared,
): ((item: Item) => FieldValues<Declared> | undefined) => {
  const declared = Object.entries<Field>(fields);
  // Required and optional fields have a loop each, because V8 is fast where a statement always uses one name.
  const required = declared.filter(([, field]) => field.required);
  const optional = declared.filter(([, field]) => !field.required);
  /** Reads the fields into an empty object. */
  const read = (
    item: Item,
    values: Record<string, unknown>,
  ): values is typeof values & FieldValues<Declared> => {
    for (const [name, field] of required) {
      const value = valueOf(item[name], field);
      if (!isStoredValue(field, value)) return false;
      values[name] = value;
    }
    for (const [name, field] of optional) {
      const attribute = item[name];
      if (attribute === undefined) continue;
      const value = valueOf(attribute, field);
      if (!isStoredValue(field, value)) return false;
      values[name] = value;
    }
    return true;
  };
  return (item) => {
    const values = {};
    return read(item, values) ? values : undefined;
  };
};

/** The value in an attribute of a field's type; undefined or NaN for another type. */
const valueOf = (attribute: Attribute, { kind }: Field): unknown =>
  kind === 'number' ? Number(attribute?.N ?? NaN) : attribute?.[kind === 'boolean' ? 'BOOL' : 'S'];

/** The value of a string attribute; undefined for another type. */
export const textOf = (attribute: Attribute): string | undefined =>
  typeof attribute?.S === 'string' ? attribute.S : undefined;
