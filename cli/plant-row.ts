import { hash } from 'node:crypto';
import { z } from 'zod';
import { type IdentifiedPlant, optionalFields } from '../table/plant.ts';
import { maxNameBytes, maxSortKeyBytes, sortKeyOf } from '../table/sort-key.ts';
import { fits } from '../table/utf8.ts';

/** What a row can have. */
export const rowFields = ['name', 'id', ...optionalFields.map(({ field }) => field), 'who'];

/** The plant of a row, or what is wrong with the row. */
type ParsedRow = Readonly<
  { plant: IdentifiedPlant; problem?: undefined } | { plant?: undefined; problem: string }
>;

/**
 * Returns a function that parses a row into a plant, with every text exactly as it is.
 * @param owner whose plants the rows are, as `list` prints it in the field `who`
 */
export const rowParser = (owner: string): ((row: unknown) => ParsedRow) => {
  const schema = rowSchema(owner);
  return (row) => {
    const { data: plant, error } = schema.safeParse(row);
    if (plant !== undefined) return { plant };
    return { problem: error.issues.map(({ path, message }) => [...path, message].join(' ')).join('; ') };
  };
};

const rowSchema = (owner: string): z.ZodType<IdentifiedPlant> =>
  z
    .strictObject({
      name: text(maxNameBytes)
        .min(1, 'is missing')
        .refine((name) => !name.includes('\0'), 'has U+0000'),
      // An empty text is no id.
      id: optional(maxSortKeyBytes).transform((id) => (id === '' ? undefined : id)),
      ...Object.fromEntries(optionalFields.map(({ field, maxBytes }) => [field, optional(maxBytes)])),
      who: z.literal(owner, `is not ${owner}`).optional(),
    })
    .transform(({ id, ...row }) => ({ ...row, id: id ?? hash('sha256', row.name).slice(0, 32) }))
    .refine(
      ({ id, name }) => fits(sortKeyOf(name, id), maxSortKeyBytes),
      `id and name have together more than ${String(maxSortKeyBytes - 1)} bytes of UTF-8`,
    );

const text = (maxBytes: number) =>
  z
    .string({ error: ({ input }) => (input === undefined || input === null ? 'is missing' : 'is not text') })
    // UTF-8 has no lone surrogates, so the table cannot store them.
    .refine((value) => value.isWellFormed(), 'has a lone surrogate')
    .refine((value) => fits(value, maxBytes), `has more than ${String(maxBytes)} bytes of UTF-8`);

/** null is no value. */
const optional = (maxBytes: number) =>
  text(maxBytes)
    .nullish()
    .transform((value) => value ?? undefined);
