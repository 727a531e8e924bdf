import { textOf } from '../table/item.ts';
import { idIn, nameIn } from '../table/sort-key.ts';
import { count } from '../terminal/count.ts';
import { withoutControlCharacters } from '../terminal/style.ts';
import { keyHash } from './key-hash.ts';
import { principalText } from './principal.ts';
import type { Grant, GrantKey } from './table/grant.ts';

/** What can be wrong with an item. */
export type Problem = 'damaged' | 'not in the index' | 'other id in the index' | 'several names';

/** How often each problem was found; for several names, the number of ids. */
export type Findings = Record<Problem, number>;

export const noFindings = (): Findings => ({
  damaged: 0,
  'not in the index': 0,
  'other id in the index': 0,
  'several names': 0,
});

/** What is wrong with one item. A damaged one is left as it is, so its place in the index does not matter. */
export const problemOf = ({ plant, item }: Grant): Problem | undefined => {
  if (plant === undefined) return 'damaged';
  const plantId = textOf(item['plantId']);
  if (plantId === undefined) return 'not in the index';
  return plantId === plant.id ? undefined : 'other id in the index';
};

/** A finding as a line: whose item, its id or else the hash of its key, the problem, and its name if that is shown. */
export const findingLine = (key: GrantKey, problem: Problem, showsName: boolean): string =>
  [
    principalText(key.principal),
    idIn(key.sortKey) || keyHash(key),
    problem,
    ...(showsName ? [nameIn(key.sortKey)] : []),
  ]
    .map(withoutControlCharacters)
    .join('\t');

/** All counts in one sentence. */
export const findingsText = (findings: Findings): string =>
  [
    count(findings.damaged, 'damaged item'),
    `${count(findings['not in the index'], 'item')} that the index misses`,
    `${count(findings['other id in the index'], 'item')} under another id in the index`,
    `${count(findings['several names'], 'id')} with several names`,
  ].join(', ');
