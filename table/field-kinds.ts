import { fits } from './text-size.ts';

interface AnyField {
  /** Whether each plant has a value. */
  readonly required?: true;
}

export interface TextField extends AnyField {
  readonly kind: 'text';
  /** In bytes of UTF-8. */
  readonly minBytes?: number;
  readonly maxBytes: number;
  /** A character that the text must not contain. */
  readonly without?: string;
}

export interface NumberField extends AnyField {
  readonly kind: 'number';
  readonly min: number;
  /** Below 1e126, because DynamoDB stores no larger numbers. */
  readonly max: number;
  /** Whether the number must be whole. */
  readonly integer?: true;
}

/** `true` or `false`. */
export interface BooleanField extends AnyField {
  readonly kind: 'boolean';
}

/** A date and time of RFC 3339 in UTC, in milliseconds or less precise. It is stored and shown as written. */
export interface TimeField extends AnyField {
  readonly kind: 'time';
}

/** A field of a plant, with the rule for its values. */
export type Field = TextField | NumberField | BooleanField | TimeField;

/** A declaration of fields by name. */
export type Fields = Readonly<Record<string, Field>>;

export type FieldValue = string | number | boolean;

/** The type of a field's values. */
export type ValueOf<Declared extends Field> = Declared extends NumberField
  ? number
  : Declared extends BooleanField
    ? boolean
    : string;

type RequiredNames<Declared extends Fields> = {
  [Name in keyof Declared]: Declared[Name] extends { readonly required: true } ? Name : never;
}[keyof Declared];

/** An object with a value for each required field, and possibly for other declared fields. */
export type FieldValues<Declared extends Fields> = {
  readonly [Name in RequiredNames<Declared>]: ValueOf<Declared[Name]>;
} & {
  readonly [Name in Exclude<keyof Declared, RequiredNames<Declared>>]?: ValueOf<Declared[Name]>;
};

/** Whether a value is one of a field's values. */
export const isValid = <Declared extends Field>(
  field: Declared,
  value: unknown,
): value is ValueOf<Declared> =>
  // UTF-8 has no lone surrogates, so the table cannot store them.
  isStoredValue(field, value) && (typeof value !== 'string' || value.isWellFormed());

/**
 * Whether a value that comes from the table is one of a field's values. A text in the table has no lone
 * surrogates, and looking for them would take a sixth of the time of reading an item.
 */
export const isStoredValue = <Declared extends Field>(
  field: Declared,
  value: unknown,
): value is ValueOf<Declared> => {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' && isTextOf(field, value);
    case 'number':
      return typeof value === 'number' && isNumberOf(field, value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'time':
      return typeof value === 'string' && isTime(value);
  }
};

const isTextOf = ({ minBytes = 0, maxBytes, without }: TextField, text: string): boolean =>
  fits(text, maxBytes) &&
  // Each UTF-16 unit takes at least one byte, so most texts need no count.
  (text.length >= minBytes || Buffer.byteLength(text) >= minBytes) &&
  (without === undefined || !text.includes(without));

const isNumberOf = ({ min, max, integer }: NumberField, value: number): boolean =>
  value >= min &&
  value <= max &&
  (!integer || Number.isInteger(value)) &&
  // AWS: "Supported data types and naming rules in Amazon DynamoDB", the least positive number.
  (value === 0 || Math.abs(value) >= 1e-130);

const isTime = (text: string): boolean =>
  /^.{19}(\.\d{1,3})?Z$/.test(text) &&
  // JavaScript reads 30 February as a day in March, and has null for the JSON of other wrong dates.
  JSON.stringify(new Date(text)).startsWith(text.slice(0, 19), 1);

/**
 * Whether an object has valid values of the declared fields. Other members are ignored. A member that is
 * undefined counts as missing.
 */
export const areValid = <Declared extends Fields>(
  fields: Declared,
  values: object & Readonly<Record<string, unknown>>,
): values is FieldValues<Declared> & Readonly<Record<string, unknown>> =>
  Object.entries(fields).every(([name, field]) =>
    values[name] === undefined ? field.required === undefined : isValid(field, values[name]),
  );

/** The words for a field's values, such as "a whole number from 0 to 100". */
export const ruleOf = (field: Field): string => {
  switch (field.kind) {
    case 'text':
      return textRule(field);
    case 'number':
      return `a ${field.integer ? 'whole ' : ''}number from ${String(field.min)} to ${String(field.max)}`;
    case 'boolean':
      return 'true or false';
    case 'time':
      return 'a time in UTC such as 2026-11-28T18:00:00Z';
  }
};

const textRule = ({ minBytes = 0, maxBytes, without }: TextField): string => {
  const size = minBytes === 0 ? `at most ${String(maxBytes)}` : `${String(minBytes)} to ${String(maxBytes)}`;
  return `a text of ${size} bytes in UTF-8${without === undefined ? '' : ` without ${codePointOf(without)}`}`;
};

/** A character as Unicode writes its code point, such as U+0000. */
export const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
