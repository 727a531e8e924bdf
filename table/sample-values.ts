import type { Field, Fields, FieldValue } from './field-kinds.ts';

type Values = Readonly<Record<string, FieldValue>>;

/** A valid value of a field, for a request or a test that needs any value. */
export const sampleOf = (field: Field): FieldValue => {
  switch (field.kind) {
    case 'text':
      return field.without === 'x' ? 'y' : 'x';
    case 'number':
      return field.integer ? Math.min(Math.floor(field.max), Number.MAX_SAFE_INTEGER) : field.max;
    case 'boolean':
      return true;
    case 'time':
      return '2026-11-28T18:00:00.5Z';
  }
};

/** A valid value of each of these fields. */
export const samplesOf = (entries: readonly (readonly [name: string, field: Field])[]): Values =>
  Object.fromEntries(entries.map(([name, field]) => [name, sampleOf(field)]));

/** A valid value of each required field. */
export const requiredSamples = (fields: Fields): Values =>
  samplesOf(Object.entries(fields).filter(([, field]) => field.required === true));
