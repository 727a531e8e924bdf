import { hash } from 'node:crypto';
import { areValid, type Field, text, type WithoutFields } from '../table/field-kinds.ts';
import { fields } from '../table/fields.ts';
import type { IdentifiedPlant } from '../table/plant.ts';
import { keyProblem, maxSortKeyBytes } from '../table/sort-key.ts';
import { problemOf } from './field-value.ts';

/** What a row has besides the fields of a plant. */
const rowMembers = {
  id: text({ maxBytes: maxSortKeyBytes }),
  who: text({ maxBytes: Infinity }),
};

/** The fields that a row can have. A field of a plant cannot have the name of another member of a row. */
export const rowFields: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['name', fields.name],
  ['id', rowMembers.id],
  ...Object.entries<Field>(fields satisfies WithoutFields<keyof typeof rowMembers>),
  ['who', rowMembers.who],
]);

/** The plant of a row, or what is wrong with the row. */
export type ParsedRow = Readonly<
  { plant: IdentifiedPlant; problem?: undefined } | { plant?: undefined; problem: string }
>;

/**
 * Returns a function that parses a row into a plant, with every text exactly as it is.
 * @param owner whose plants the rows are, as `list` prints it in the field `who`
 */
export const rowParser = (owner: string): ((row: unknown) => ParsedRow) => {
  const problemOfWho = (value: unknown): string | undefined =>
    value === undefined || value === owner ? undefined : `is not ${owner}`;
  return (row) => {
    if (typeof row !== 'object' || row === null || Array.isArray(row))
      return { problem: 'the row is not an object' };
    // A member that is null counts as missing.
    const given = Object.entries(row).filter(([, value]) => value !== null);
    const values: Readonly<Record<string, unknown>> = Object.fromEntries(given);
    const problems = [...rowFields].flatMap(([name, field]) => {
      const problem = name === 'who' ? problemOfWho(values[name]) : problemOf(field, values[name]);
      return problem === undefined ? [] : [`${name} ${problem}`];
    });
    const unknownFields = Object.keys(row).filter((name) => !rowFields.has(name));
    problems.push(...unknownFields.map((name) => `unknown field "${name}"`));
    if (unknownFields.length > 0) problems.push(`fields are ${[...rowFields.keys()].join(', ')}`);
    const plant = Object.fromEntries(given.filter(([name]) => !Object.hasOwn(rowMembers, name)));
    if (problems.length > 0 || !areValid(fields, plant) || !areValid(rowMembers, values))
      return { problem: problems.join('; ') };
    // An empty id counts as missing.
    const id = values.id === '' ? undefined : values.id;
    const identified = { ...plant, id: id ?? hash('sha256', plant.name).slice(0, 32) };
    const problem = keyProblem(identified);
    return problem === undefined ? { plant: identified } : { problem };
  };
};
