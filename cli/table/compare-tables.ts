import type { Principal } from '../../table/principal.ts';
import { compareUtf8 } from '../../table/utf8.ts';
import type { Grant, KeyRange, StoredItem } from './grant.ts';
import type { PlantTable } from './plant-table.ts';
import type { ReadPace } from './read-pace.ts';
import { sameItem } from './same-item.ts';
import { taskPool } from './task-pool.ts';

/** How a table differs from a model in one key. At least one of the two is there. */
export interface Difference {
  /** The item as it should be. */
  readonly wanted: StoredItem | undefined;
  /** The item as it is. */
  readonly found: StoredItem | undefined;
}

export interface Comparison {
  readonly model: PlantTable;
  readonly table: PlantTable;
  /** Undefined: everyone. */
  readonly principal: Principal | undefined;
  /** Of the reads of both tables. */
  readonly pace: ReadPace;
  /** Whether the table is read as it is now, at twice the cost. */
  readonly isConsistent: boolean;
  /** What the table should hold for an item of the model. */
  readonly wantedFor: (grant: Grant) => StoredItem;
  readonly onDifference: (difference: Difference) => Promise<void>;
  /** Called with numbers of items of the model as they are read. */
  readonly onRead: (items: number) => void;
}

/** Items of the model, in order, and the range of keys in which no others are. */
interface ModelRange extends KeyRange {
  readonly grants: readonly Grant[];
}

const rangesAtOnce = 8;
/** So that the ranges that are compared at once fit in memory. */
const maxRangeItems = 1000;

/**
 * Finds all differences, in no order. Reads a page of the model at a time, and the same keys of the table: a scan may
 * list two tables' principals in different orders.
 */
export const compareTables = async (comparison: Comparison): Promise<void> => {
  const { model, principal, pace, onRead } = comparison;
  const pages = principal === undefined ? model.allPlants(pace) : model.plantsOf({ principal }, pace);
  const tasks = taskPool(rangesAtOnce);
  try {
    for await (const range of rangesOf(pages, principal)) {
      onRead(range.grants.length);
      await tasks.start(() => compareRange(comparison, range));
    }
  } finally {
    await tasks.finish();
  }
  if (principal === undefined) await findOtherPrincipals(comparison);
};

/** Cuts the model's pages at the ends of partitions. The last partition of a page may continue on the next one. */
const rangesOf = async function* (
  pages: AsyncIterable<readonly Grant[]>,
  principal: Principal | undefined,
): AsyncGenerator<ModelRange> {
  let open: ModelRange | undefined = principal && { principal, grants: [] };
  for await (const page of pages)
    for (const { principal, grants } of partitionsOf(page)) {
      let after: string | undefined;
      if (open?.principal === principal) {
        after = open.grants.at(-1)?.sortKey;
        if (after !== undefined) yield { ...open, upTo: after };
      } else if (open !== undefined) yield open;
      open = { principal, after, grants };
    }
  if (open !== undefined) yield open;
};

/** The partitions of a page; a large one in parts. */
const partitionsOf = (page: readonly Grant[]): readonly ModelRange[] => {
  const partitions: { principal: string; grants: Grant[] }[] = [];
  for (const grant of page) {
    const last = partitions.at(-1);
    if (last?.principal === grant.principal && last.grants.length < maxRangeItems) last.grants.push(grant);
    else partitions.push({ principal: grant.principal, grants: [grant] });
  }
  return partitions;
};

const compareRange = async (
  { table, pace, isConsistent, wantedFor, onDifference }: Comparison,
  { grants, ...range }: ModelRange,
): Promise<void> => {
  const left = [...grants].reverse();
  for await (const page of table.plantsOf(range, pace, isConsistent))
    for (const found of page) {
      for (let next = left.at(-1); next !== undefined && isBefore(next, found); next = left.at(-1)) {
        await onDifference({ wanted: wantedFor(next), found: undefined });
        left.pop();
      }
      const wanted = left.at(-1)?.sortKey === found.sortKey ? left.pop() : undefined;
      const item = wanted && wantedFor(wanted);
      if (item === undefined || !sameItem(item, found.item))
        await onDifference({ wanted: item, found: found.item });
    }
  for (const next of left) await onDifference({ wanted: wantedFor(next), found: undefined });
};

const isBefore = (a: Grant, b: Grant): boolean => compareUtf8(a.sortKey, b.sortKey) < 0;

/** The items of principals that the model does not have. */
const findOtherPrincipals = async ({
  model,
  table,
  pace,
  isConsistent,
  onDifference,
  onRead,
}: Comparison): Promise<void> => {
  const tasks = taskPool(rangesAtOnce);
  try {
    for await (const page of table.allPlants(pace, isConsistent)) {
      onRead(page.length);
      for (const { principal, grants } of partitionsOf(page))
        await tasks.start(async () => {
          if (!(await model.isEmpty(principal, pace))) return;
          for (const { item } of grants) await onDifference({ wanted: undefined, found: item });
        });
    }
  } finally {
    await tasks.finish();
  }
};
