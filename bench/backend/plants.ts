import { createHash } from 'node:crypto';
import { sortKeyOf } from '../../table/sort-key.ts';
import type { Caller } from '../../functions/http/caller-context.ts';

/** An item of the table with its attributes as strings. */
export interface PlantItem {
  readonly principal: string;
  readonly sortKey: string;
  readonly name: string;
  readonly tag?: string;
}

/** A list: the number of its plants, and of the caller's principals (the user and the groups). */
export interface ListSize {
  readonly plants: number;
  readonly principals: number;
}

export const smallList: ListSize = { plants: 20, principals: 3 };
export const longList: ListSize = { plants: 4000, principals: 1 };
/** A list of so many principals that connections cost the most. */
export const manyPrincipals: ListSize = { plants: 300, principals: 100 };

/** A day from now, which is after the end of any run. */
const expiresAt = Math.floor(Date.now() / 1000) + 24 * 3600;

/** A caller with a list of this size. */
export const callerOf = (size: ListSize): Caller => ({
  subject: listName(size, 0),
  groups: Array.from({ length: size.principals - 1 }, (_, index) => listName(size, index + 1)),
  expiresAt,
});

/** All plants of a principal of `callerOf`, in the table's order; none for any other principal. */
export const plantsOf = (principal: string): readonly PlantItem[] => {
  const [, plants = 0, principals, principalIndex] =
    /^(?:user|group)#list-(\d+)-(\d+)-(\d+)$/.exec(principal) ?? [];
  return Array.from({ length: Number(plants) }, (_, index) => index)
    .filter((index) => isGranted(index, Number(principals), Number(principalIndex)))
    .map((index) => plantItem(principal, index))
    .sort((a, b) => Buffer.compare(Buffer.from(a.sortKey), Buffer.from(b.sortKey)));
};

const listName = ({ plants, principals }: ListSize, principalIndex: number): string =>
  `list-${String(plants)}-${String(principals)}-${String(principalIndex)}`;

/** Principals get plants in turn; every tenth plant also goes to the next principal. */
const isGranted = (index: number, principals: number, principalIndex: number): boolean =>
  index % principals === principalIndex || (index % 10 === 0 && (index + 1) % principals === principalIndex);

// U+FB01 precedes U+1F335 in UTF-8 order, and follows it in UTF-16 order.
const species = ['Monstera deliciosa', '\u{FB01}cus elastica', '\u{1F335} Carnegiea gigantea'];
const tags = ['shade', 'half shade', 'full sun', undefined];

const plantItem = (principal: string, index: number): PlantItem => {
  const number = String(index).padStart(6, '0');
  // A hash, because a counter would compress better than real names.
  const cultivar = createHash('sha256').update(number).digest('base64url').slice(0, 20);
  const name = `${species[index % species.length] ?? ''} '${cultivar}'`;
  const tag = tags[index % tags.length];
  return {
    principal,
    sortKey: sortKeyOf({ id: `c0ffee00-0000-4000-8000-000000${number}`, name }),
    name,
    ...(tag !== undefined && { tag }),
  };
};
