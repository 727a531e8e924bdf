import {
  type Attribute,
  attributeOf,
  type Field,
  type Fields,
  type FieldValue,
  type FieldValues,
  type WrittenAttribute,
} from './field-kinds.ts';

/** An item as DynamoDB returns it. */
export type Item = Readonly<Record<string, Attribute>>;

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
  const fieldsWith = (required?: true) =>
    Object.entries<Field>(fields)
      .filter(([, field]) => field.required === required)
      .map(([name, { read }]) => ({ name, read }));
  // Required and optional fields have separate loops, because V8 reads `item[name]` faster in a statement in
  // which `name` is always the same. Arrays of two would take twice the time of the first list of a process.
  const required = fieldsWith(true);
  const optional = fieldsWith();
  /** Reads the fields into an empty object. */
  const readInto = (
    item: Item,
    values: Record<string, unknown>,
  ): values is typeof values & FieldValues<Declared> => {
    for (const { name, read } of required) {
      const value = read(item[name]);
      if (value === undefined) return false;
      values[name] = value;
    }
    for (const { name, read } of optional) {
      const attribute = item[name];
      if (attribute === undefined) continue;
      const value = read(attribute);
      if (value === undefined) return false;
      values[name] = value;
    }
    return true;
  };
  return (item, values = {}) => (readInto(item, values) ? values : undefined);
};

/** The value of a string attribute; undefined for another type. */
export const textOf = (attribute: Attribute): string | undefined =>
  typeof attribute?.S === 'string' ? attribute.S : undefined;
