import { areValid, type Field, type FieldValue, isValid, ruleOf } from './field-kinds.ts';
import { fields } from './fields.ts';
import type { Plant, PlantFields } from './plant.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** New values of some fields, in the order of their declaration. `null` removes a field. */
export type FieldChange = Readonly<Record<string, FieldValue | null>>;

/** What a JSON object holds, or the sentences that say what to correct in it. */
type Parsed<Values> = Readonly<
  { values: Values; problem?: undefined } | { values?: undefined; problem: string }
>;

const declared: readonly (readonly [name: string, field: Field])[] = Object.entries(fields);
const names = declared.map(([name]) => name);

/** Reads a change of some fields (RFC 7396, "JSON Merge Patch"). */
export const changeIn = (json: JsonObject): Parsed<FieldChange> => {
  // The message does not name the member, because a message must not quote the request.
  if (Object.keys(json).some((name) => !names.includes(name)))
    return { problem: `The body has an unknown member. Send only the members ${names.join(', ')}.` };
  const values: [name: string, value: FieldValue | null][] = [];
  for (const [name, field] of declared) {
    const value = json[name];
    if (value === null && field.required === undefined) values.push([name, null]);
    else if (isValid(field, value)) values.push([name, value]);
    else if (value !== undefined)
      return { problem: `The field ${name} is not valid. Send ${ruleOf(field)}.` };
  }
  return { values: Object.fromEntries(values) };
};

/** Reads the fields of a new plant. An optional field that is `null` is left out. */
export const fieldsIn = (json: JsonObject): Parsed<PlantFields> => {
  const { values: change, problem } = changeIn(json);
  if (problem !== undefined) return { problem };
  const values = merged({}, change);
  if (areValid(fields, values)) return { values };
  const missing = declared.filter(([name, field]) => field.required === true && !(name in values));
  return {
    problem: missing.map(([name, field]) => `The field ${name} is missing. Send ${ruleOf(field)}.`).join(' '),
  };
};

/** The plant after a change, with its fields in the order of their declaration. */
export const changedPlant = ({ id, ...before }: Plant, change: FieldChange): Plant => {
  const values = merged(before, change);
  if (!areValid(fields, values)) throw new Error('A change cannot remove a required field.');
  return { id, ...values };
};

const merged = (
  before: Readonly<Record<string, FieldValue>>,
  change: FieldChange,
): Readonly<Record<string, FieldValue>> => {
  const values: Record<string, FieldValue> = {};
  for (const name of names) {
    const value = name in change ? change[name] : before[name];
    if (value !== undefined && value !== null) values[name] = value;
  }
  return values;
};
