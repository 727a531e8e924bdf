import { fits } from './text-size.ts';

/** An attribute in DynamoDB's protocol, unchecked: a string, a number as text, or a boolean. */
export type Attribute =
  { readonly S?: unknown; readonly N?: unknown; readonly BOOL?: unknown } | null | undefined;

/** An attribute, ready to be written. */
export type WrittenAttribute = { readonly S: string } | { readonly N: string } | { readonly BOOL: boolean };

/** A field, which the function of its kind makes from options. */
interface FieldOf<Kind extends string, Value> {
  readonly kind: Kind;
  /** Whether each plant has a value. */
  readonly required?: true;
  /**
   * Reads the value in an attribute; undefined if the attribute has another type, or its value is not valid.
   * `isValid` also looks for lone surrogates, which the table cannot store. Here, that would take a sixth of
   * the time of reading an item.
   */
  readonly read: (attribute: Attribute) => Value | undefined;
}

/** The options from which the function of a kind makes a field. */
type Options<Made> = Omit<Made, 'kind' | 'read'>;

export interface TextField extends FieldOf<'text', string> {
  /** Whether the text must not be empty. */
  readonly notEmpty?: true;
  /** In bytes of UTF-8. An item has at most 400 KB, and a body with which a caller writes a plant 64 KB. */
  readonly maxBytes: number;
  /** A character that the text must not contain. */
  readonly without?: string;
}

export interface NumberField extends FieldOf<'number', number> {
  readonly min: number;
  /** Below 1e126, because DynamoDB stores no larger numbers. */
  readonly max: number;
  /** Whether the number must be whole, and one that JavaScript holds exactly: up to 2⁵³ − 1. */
  readonly integer?: true;
}

/** `true` or `false`. */
export type BooleanField = FieldOf<'boolean', boolean>;

/** A date and time of RFC 3339 in UTC, in milliseconds or less precise. It is stored and shown as written. */
export type TimeField = FieldOf<'time', string>;

/** A field of a plant, with the rule for its values. */
export type Field = TextField | NumberField | BooleanField | TimeField;

/** A declaration of fields by name. */
export type Fields = Readonly<Record<string, Field>>;

/** The empty name, and names of each object's members that TypeScript does not know. */
type OtherName = `__${'proto' | `${'define' | 'lookup'}${'Getter' | 'Setter'}`}__` | '';

/**
 * A declaration that has no field with one of these names, or with that of a member of every object, such as
 * `constructor`: an object without a value of such a field would seem to have one.
 */
export type WithoutFields<Names extends string> = Fields &
  Partial<Readonly<Record<Names | OtherName, never>>> &
  Partial<typeof Object.prototype>;

export type FieldValue = string | number | boolean;

/** The type of a field's values. */
export type ValueOf<Declared extends Field> = Declared extends FieldOf<string, infer Value> ? Value : never;

type RequiredNames<Declared extends Fields> = {
  [Name in keyof Declared]: Declared[Name] extends { readonly required: true } ? Name : never;
}[keyof Declared];

/** An object with a value for each required field, and possibly for other declared fields. */
export type FieldValues<Declared extends Fields> = {
  readonly [Name in RequiredNames<Declared>]: ValueOf<Declared[Name]>;
} & {
  readonly [Name in Exclude<keyof Declared, RequiredNames<Declared>>]?: ValueOf<Declared[Name]>;
};

// Each kind has its own function, so that a Lambda function's bundle has only the kinds that fields use.

export const text = <const Given extends Options<TextField>>(options: Given): TextField & Given => {
  const { notEmpty, maxBytes, without }: Options<TextField> = options;
  return {
    ...options,
    kind: 'text',
    read: (attribute) => {
      const value = attribute?.S;
      const isValidText =
        typeof value === 'string' &&
        !(notEmpty && value === '') &&
        fits(value, maxBytes) &&
        !(without && value.includes(without));
      return isValidText ? value : undefined;
    },
  };
};

export const number = <const Given extends Options<NumberField>>(options: Given): NumberField & Given => {
  const { min, max, integer }: Options<NumberField> = options;
  return {
    ...options,
    kind: 'number',
    read: (attribute) => {
      const value = Number(attribute?.N ?? NaN);
      const isInRange = value >= min && value <= max && (!integer || Number.isSafeInteger(value));
      // AWS: "Supported data types and naming rules in Amazon DynamoDB", the least positive number.
      return isInRange && (value === 0 || Math.abs(value) >= 1e-130) ? value : undefined;
    },
  };
};

export const boolean = <const Given extends Options<BooleanField>>(options: Given): BooleanField & Given => ({
  ...options,
  kind: 'boolean',
  read: (attribute) => (typeof attribute?.BOOL === 'boolean' ? attribute.BOOL : undefined),
});

export const time = <const Given extends Options<TimeField>>(options: Given): TimeField & Given => ({
  ...options,
  kind: 'time',
  read: (attribute) => (isTime(attribute?.S) ? attribute.S : undefined),
});

const isTime = (value: unknown): value is string =>
  typeof value === 'string' &&
  // Without the digits, a year of six digits and no seconds would be as long.
  /^\d{4}-.{14}(\.\d{1,3})?Z$/.test(value) &&
  // `Date` turns 30 February into a day in March, and other wrong dates into null in JSON. So a date is
  // valid if its JSON begins with the text.
  JSON.stringify(new Date(value)).startsWith(value.slice(0, 19), 1);

/** The attribute that has a value. */
export const attributeOf = (value: FieldValue): WrittenAttribute => {
  if (typeof value === 'string') return { S: value };
  return typeof value === 'number' ? { N: String(value) } : { BOOL: value };
};

const isFieldValue = (value: unknown): value is FieldValue =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Whether a value is one of a field's values. */
export const isValid = <Declared extends Field>(
  field: Declared,
  value: unknown,
): value is ValueOf<Declared> =>
  isFieldValue(value) &&
  field.read(attributeOf(value)) === value &&
  // UTF-8 has no lone surrogates, so the table cannot store them.
  (typeof value !== 'string' || value.isWellFormed());

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

const textRule = ({ notEmpty, maxBytes, without }: TextField): string => {
  const size = notEmpty ? `1 to ${String(maxBytes)}` : `at most ${String(maxBytes)}`;
  return `a text of ${size} bytes in UTF-8${without === undefined ? '' : ` without ${codePointOf(without)}`}`;
};

/** A character as Unicode writes its code point, such as U+0000. */
export const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
