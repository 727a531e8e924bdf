import { hash } from 'node:crypto';
import * as v from 'valibot';
import { fits, maxNameBytes, maxSortKeyBytes, optionalFields } from '../table/fields.ts';
import type { IdentifiedPlant } from '../table/plant.ts';
import { sortKeyOf } from '../table/sort-key.ts';

/** The fields that a row can have. */
export const rowFields = ['name', 'id', ...optionalFields.map(({ field }) => field), 'who'];

/** The plant of a row, or what is wrong with the row. */
export type ParsedRow = Readonly<
  { plant: IdentifiedPlant; problem?: undefined } | { plant?: undefined; problem: string }
>;

/**
 * Returns a function that parses a row into a plant, with every text exactly as it is.
 * @param owner whose plants the rows are, as `list` prints it in the field `who`
 */
export const rowParser = (owner: string): ((row: unknown) => ParsedRow) => {
  const schema = rowSchema(owner);
  return (row) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      return { problem: 'the row is not an object' };
    const { success, output, issues = [] } = v.safeParse(schema, row);
    const problems = issues.map(({ path = [], message }) =>
      [...path.map(({ key }) => key), message].join(' '),
    );
    // The schema's own check of unknown fields lets the field __proto__ through.
    const unknownFields = Object.keys(row).filter((field) => !rowFields.includes(field));
    problems.push(...unknownFields.map((field) => `unknown field "${field}"`));
    return success && problems.length === 0 ? { plant: output } : { problem: problems.join('; ') };
  };
};

const rowSchema = (owner: string): v.GenericSchema<unknown, IdentifiedPlant> =>
  v.pipe(
    v.object(
      {
        name: v.pipe(
          requiredText(maxNameBytes),
          v.minLength(1, 'is missing'),
          v.check((name) => !name.includes('\0'), 'has U+0000'),
        ),
        // An empty text is no id.
        id: v.pipe(
          optionalText(maxSortKeyBytes),
          v.transform((id) => (id === '' ? undefined : id)),
        ),
        ...Object.fromEntries(optionalFields.map(({ field, maxBytes }) => [field, optionalText(maxBytes)])),
        who: v.optional(v.literal(owner, `is not ${owner}`)),
      },
      'is missing',
    ),
    v.transform(({ id, ...row }) => ({ ...row, id: id ?? hash('sha256', row.name).slice(0, 32) })),
    v.check(
      ({ id, name }) => fits(sortKeyOf(name, id), maxSortKeyBytes),
      `id and name have together more than ${String(maxSortKeyBytes - 1)} bytes of UTF-8`,
    ),
  );

const requiredText = (maxBytes: number) =>
  v.pipe(
    v.string(({ input }) => (input === undefined || input === null ? 'is missing' : 'is not text')),
    // UTF-8 has no lone surrogates, so the table cannot store them.
    v.check((value) => value.isWellFormed(), 'has a lone surrogate'),
    v.check((value) => fits(value, maxBytes), `has more than ${String(maxBytes)} bytes of UTF-8`),
  );

/** A text that can be missing or null. */
const optionalText = (maxBytes: number) =>
  v.pipe(
    v.nullish(requiredText(maxBytes)),
    v.transform((value) => value ?? undefined),
  );
