import type { Inputs } from './inputs.ts';

/** The plants of the lists that docs/scale.md calculates. */
export const plants = { short: 20, long: 4000 } as const;

export type ListSize = keyof typeof plants;

const lengthOf = (...attributes: readonly string[]): number => attributes.join('').length;

/** Bytes of an item in the table today, and of its parts. */
export const itemBytes = ({
  stored: { name, id, tag, principal },
}: Inputs): Record<'table' | 'index' | 'sortKey' | 'plantIdAttribute' | 'nameAttribute', number> => {
  const sortKey = name + 1 + id;
  const keys = lengthOf('principal', 'sortKey') + principal + sortKey;
  const plantIdAttribute = lengthOf('plantId') + id;
  const nameAttribute = lengthOf('name') + name;
  return {
    table: keys + nameAttribute + lengthOf('tag') + tag + plantIdAttribute,
    index: keys + plantIdAttribute,
    sortKey,
    plantIdAttribute,
    nameAttribute,
  };
};

/** Bytes of a plant in a chunk that is stored compressed: half of an id's hexadecimal digits are information. */
export const compressedPlantBytes = ({ stored, compression }: Inputs): number =>
  16 + (stored.name + stored.tag) * compression;

const bytesPerUnit = 4096;

/** What an eventually consistent Query costs; half a unit if it finds nothing. */
export const queryUnits = (items: number, bytes: number): number =>
  Math.max(1, Math.ceil((items * bytes) / bytesPerUnit)) / 2;

/** Divides plants among principals as evenly as possible. */
const divide = (count: number, principals: number): readonly number[] =>
  Array.from({ length: principals }, (_, index) => Math.floor((count + index) / principals));

/** A list of everything, with one Query for each principal. */
export const listUnits = (count: number, principals: number, bytes: number): number =>
  divide(count, principals).reduce((sum, items) => sum + queryUnits(items, bytes), 0);

/** The first page: `limit` and one more of each principal, who has as many. */
export const firstPageUnits = (limit: number, principals: number, bytes: number): number =>
  principals * queryUnits(limit + 1, bytes);

/** What a list of a caller with the usual principals costs. */
export const unitsOf = (inputs: Inputs, size: ListSize): number =>
  (size === 'short' ? firstPageUnits : listUnits)(plants[size], inputs.principals, itemBytes(inputs).table);

/** A list of everything in pages, each of which reads up to `limit` and one more of each principal. */
export const pagedUnits = (count: number, limit: number, principals: number, bytes: number): number =>
  Array.from({ length: Math.ceil(count / limit) }, (_, page) =>
    divide(count - page * limit, principals).reduce(
      (sum, left) => sum + queryUnits(Math.min(left, limit + 1), bytes),
      0,
    ),
  ).reduce((sum, units) => sum + units, 0);
