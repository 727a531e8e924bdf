import { hash } from 'node:crypto';
import {
  areValid,
  type Field,
  type FieldValues,
  text,
  type TextField,
  type WithoutFields,
} from '../table/field-kinds.ts';
import { keyProblem, maxSortKeyBytes } from '../table/sort-key.ts';
import { problemOf } from './field-value.ts';
import type { RowFields } from './file-row.ts';

/** What a row has besides the fields of a plant. */
const rowMembers = {
  id: text({ maxBytes: maxSortKeyBytes }),
  who: text({ maxBytes: Infinity }),
};

/** A declaration of a name and more fields. No field can have the name of another member of a row. */
export type PlantFields = WithoutFields<keyof typeof rowMembers> & {
  readonly name: TextField & { readonly required: true };
};

/** The fields that a row can have. */
export const rowFieldsOf = (fields: PlantFields): RowFields =>
  new Map([
    ['name', fields.name],
    ['id', rowMembers.id],
    ...Object.entries<Field>(fields),
    ['who', rowMembers.who],
  ]);

/** A plant of a declaration, with its id. */
export type ImportedPlant<Declared extends PlantFields> = FieldValues<Declared> & {
  readonly id: string;
  readonly name: string;
};

/** The plant of a row, or what is wrong with the row. */
export type ParsedRow<Declared extends PlantFields> = Readonly<
  { plant: ImportedPlant<Declared>; problem?: undefined } | { plant?: undefined; problem: string }
>;

/**
 * Returns a function that parses a row into a plant, with every text exactly as it is.
 * @param owner whose plants the rows are, as `list` prints it in the field `who`
 */
export const rowParser = <Declared extends PlantFields>(
  fields: Declared,
  owner: string,
): ((row: unknown) => ParsedRow<Declared>) => {
  const rowFields = rowFieldsOf(fields);
  const identity = { name: fields.name };
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
    const isPlant = areValid(fields, plant) && areValid(identity, plant);
    if (problems.length > 0 || !isPlant || !areValid(rowMembers, values))
      return { problem: problems.join('; ') };
    // An empty id counts as missing.
    const id = values.id === '' ? undefined : values.id;
    const identified = { ...plant, id: id ?? hash('sha256', plant.name).slice(0, 32) };
    const problem = keyProblem(identified);
    return problem === undefined ? { plant: identified } : { problem };
  };
};
