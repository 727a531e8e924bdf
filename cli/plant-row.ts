import { hash } from 'node:crypto';
import { type IdentifiedPlant, optionalFields } from '../table/plant.ts';
import { maxNameBytes, maxSortKeyBytes, sortKeyOf } from '../table/sort-key.ts';
import { fits } from '../table/utf8.ts';

/** A row that cannot be loaded. The message completes the sentence "Line 1 …". */
export class BadRow extends Error {}

/** A row's fields and their limits in bytes of UTF-8. `who` is the plant's owner, as `list` prints it. */
const limits: ReadonlyMap<string, number> = new Map([
  ['name', maxNameBytes],
  ['id', maxSortKeyBytes],
  ...optionalFields.map(({ field, maxBytes }) => [field, maxBytes] as const),
  ['who', Infinity],
]);

/** U+0000 separates the parts of a sort key; the others are left by broken line ends and joined files. */
const unusable = /[\0\ufeff]|\r(?!\n)/;

/** The columns or fields that a row may have. */
export const columns: readonly string[] = [...limits.keys()];

/**
 * Reads the plant of a row, in which null and '' are no values.
 * @param owner whose plants are loaded, as `list` prints it
 * @throws {BadRow}
 */
export const parsePlant = (row: unknown, owner: string): IdentifiedPlant => {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new BadRow('is not an object');
  const texts: Record<string, string> = {};
  for (const [field, value] of Object.entries(row)) {
    const text = parseText(field, value ?? '');
    if (text !== '') texts[field] = text;
  }
  const { who = owner, name, id = name && hash('sha256', name).slice(0, 32), ...fields } = texts;
  if (who !== owner) throw new BadRow(`is a plant of ${who}, not of ${owner}`);
  if (name === undefined || id === undefined) throw new BadRow('has no name');
  if (fits(sortKeyOf(name, id), maxSortKeyBytes)) return { id, name, ...fields };
  throw new BadRow(`has an id that is too long: with the name, over ${String(maxSortKeyBytes - 1)} bytes`);
};

const parseText = (field: string, value: unknown): string => {
  const maxBytes = limits.get(field);
  if (maxBytes === undefined) throw new BadRow(`has an unknown field ${JSON.stringify(field)}`);
  if (typeof value !== 'string') throw new BadRow(`has a value of ${field} that is not text`);
  if (/^\s+$/.test(value) && /^(name|id)$/.test(field)) throw new BadRow(`has an empty ${field}`);
  if (!value.isWellFormed() || unusable.test(value))
    throw new BadRow(`has U+0000, a byte order mark, a lone CR or a lone surrogate in its ${field}`);
  if (fits(value, maxBytes)) return value;
  throw new BadRow(`has a value of ${field} that is longer than ${String(maxBytes)} bytes of UTF-8`);
};
