import { createHash } from 'node:crypto';
import type { CallerContext } from '../functions/shared/caller-context.ts';

/** One item of the table, as the design's data section describes it. */
export interface PlantItem {
  readonly principal: string;
  readonly sortKey: string;
  readonly name: string;
  readonly tag?: string;
}

/** How many plants a caller sees, and by how many principals: the caller's own and those of the caller's groups. */
export interface ListSize {
  readonly plants: number;
  readonly principals: number;
}

/** A caller who sees a list of this size. */
export const callerOf = ({ plants, principals }: ListSize, expiresAt: number): CallerContext => ({
  subject: listName(plants, principals, 0),
  groups: Array.from({ length: principals - 1 }, (_, index) => listName(plants, principals, index + 1)),
  expiresAt,
});

/** Everything granted to a principal, in the table's order; nothing for one that no `callerOf` names. */
export const plantsOf = (principal: string): readonly PlantItem[] => {
  const [, plants, principals, share] = /^(?:user|group)#list-(\d+)-(\d+)-(\d+)$/.exec(principal) ?? [];
  return Array.from({ length: Number(plants ?? 0) }, (_, index) => index)
    .filter((index) => isGranted(index, Number(principals), Number(share)))
    .map((index) => plantItem(principal, index))
    .sort((a, b) => Buffer.compare(Buffer.from(a.sortKey), Buffer.from(b.sortKey)));
};

const listName = (plants: number, principals: number, share: number): string =>
  `list-${String(plants)}-${String(principals)}-${String(share)}`;

/** Plants are dealt out in turn; every tenth one is granted to the next principal as well. */
const isGranted = (index: number, principals: number, share: number): boolean =>
  index % principals === share || (index % 10 === 0 && (index + 1) % principals === share);

// The last two tell byte order from JavaScript's: U+FB01 is before U+1F335 in UTF-8 and behind it in UTF-16.
const species = [
  'Monstera deliciosa',
  'Calathea orbifolia',
  'Strelitzia nicolai',
  'Zamioculcas zamiifolia',
  'Ficus lyrata',
  'Alocasia × amazonica',
  '\u{FB01}cus elastica',
  '\u{1F335} Carnegiea gigantea',
];
const tags = ['shade', 'half shade', 'full sun', undefined];

const plantItem = (principal: string, index: number): PlantItem => {
  const number = String(index).padStart(6, '0');
  // Names that differ as much as names do: else they would compress to next to nothing.
  const cultivar = createHash('sha256').update(number).digest('base64url').slice(0, 20);
  const name = `${species[index % species.length] ?? ''} '${cultivar}'`;
  const tag = tags[index % tags.length];
  return {
    principal,
    sortKey: `${name}\u0000c0ffee00-0000-4000-8000-000000${number}`,
    name,
    ...(tag !== undefined && { tag }),
  };
};
