import { codePointOf, type Field, isValid, ruleOf, type TextField } from '../table/field-kinds.ts';
import { fits } from '../table/text-size.ts';

/** The value that a cell of CSV stands for. A cell that is not of the field's kind stays a text. */
export const valueOfCell = ({ kind }: Field, text: string): string | number | boolean => {
  // Spreadsheets write TRUE and FALSE.
  if (kind === 'boolean' && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return kind === 'number' && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
};

/** What is wrong with a value of a field; undefined if nothing is. */
export const problemOf = (field: Field, value: unknown): string | undefined => {
  if (value === undefined) return field.required === undefined ? undefined : 'is missing';
  if (isValid(field, value)) return undefined;
  return field.kind === 'text' ? problemOfText(field, value) : `is not ${ruleOf(field)}`;
};

const problemOfText = (field: TextField, value: unknown): string => {
  if (typeof value !== 'string') return 'is not text';
  if (value === '' && field.required !== undefined) return 'is missing';
  if (!value.isWellFormed()) return 'has a lone surrogate';
  if (!fits(value, field.maxBytes)) return `has more than ${String(field.maxBytes)} bytes of UTF-8`;
  if (field.without !== undefined && value.includes(field.without))
    return `has ${codePointOf(field.without)}`;
  return `is not ${ruleOf(field)}`;
};
