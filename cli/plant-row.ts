import { hash } from 'node:crypto';
import { z } from 'zod';
import { type IdentifiedPlant, optionalFields } from '../table/plant.ts';
import { maxNameBytes, maxSortKeyBytes, sortKeyOf } from '../table/sort-key.ts';
import { fits } from '../table/utf8.ts';

/** U+0000 separates the parts of a sort key; the others are left by broken text and joined files. */
const unusable = /[\0\ufeff\p{Surrogate}]|\r(?!\n)/u;

/** null and white space are no value. */
const text = (maxBytes: number) =>
  z
    .string('is not text')
    .refine((value) => !unusable.test(value), 'has U+0000, a byte order mark, a lone CR or a lone surrogate')
    .refine((value) => fits(value, maxBytes), `has more than ${String(maxBytes)} bytes of UTF-8`)
    .nullish()
    .transform((value) => (value?.trim() ? value : undefined));

/** What a row can have. */
export const rowFields = ['name', 'id', ...optionalFields.map(({ field }) => field), 'who'];

/**
 * Parses a row into a plant of the owner. The id of a row without one comes from its name.
 * @param owner as `list` prints it in the field `who`
 */
export const plantRow = (owner: string): z.ZodType<IdentifiedPlant> =>
  z
    .strictObject({
      name: text(maxNameBytes).pipe(z.string('is missing')),
      id: text(maxSortKeyBytes),
      ...Object.fromEntries(optionalFields.map(({ field, maxBytes }) => [field, text(maxBytes)])),
      who: z.literal(owner, `is not ${owner}`).optional(),
    })
    .transform(({ id, ...row }) => ({ ...row, id: id ?? hash('sha256', row.name).slice(0, 32) }))
    .refine(
      ({ id, name }) => fits(sortKeyOf(name, id), maxSortKeyBytes),
      `id and name have together more than ${String(maxSortKeyBytes - 1)} bytes of UTF-8`,
    );
