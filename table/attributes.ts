import type { Attribute, Field, Fields, FieldValue, FieldValues } from './field-kinds.ts';

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
  // Required and optional fields have separate loops, because V8 reads `item[name]` faster in a statement in
  // which `name` is always the same.
  const required = declared.filter(([, field]) => field.required);
  const optional = declared.filter(([, field]) => !field.required);
  /** Reads the fields into an empty object. */
  const read = (
    item: Item,
    values: Record<string, unknown>,
  ): values is typeof values & FieldValues<Declared> => {
    for (const [name, field] of required) {
      const value = field.valueIn(item[name]);
      if (!field.accepts(value)) return false;
      values[name] = value;
    }
    for (const [name, field] of optional) {
      const attribute = item[name];
      if (attribute === undefined) continue;
      const value = field.valueIn(attribute);
      if (!field.accepts(value)) return false;
      values[name] = value;
    }
    return true;
  };
  return (item) => {
    const values = {};
    return read(item, values) ? values : undefined;
  };
};

/** The value of a string attribute; undefined for another type. */
export const textOf = (attribute: Attribute): string | undefined =>
  typeof attribute?.S === 'string' ? attribute.S : undefined;
