import type { StoredPlant } from '../../table/item.ts';
import type { Principal } from '../../table/principal.ts';
import type { SortKey } from '../../table/sort-key.ts';
import { compareUtf8 } from '../../table/utf8.ts';
import type { PlantStore } from '../plant-store/plant-store.ts';
import { ServiceError } from '../shared/errors.ts';
import { catalogue } from './errors.ts';
import { FirstPlants, leastPlantBytes } from './first-plants.ts';

/** Which plants to list. */
export interface ListQuery {
  /** In order of rank: of two copies of a plant, that of the first principal counts. */
  readonly principals: readonly Principal[];
  /** At most this many plants. */
  readonly limit: number;
  /** Only plants after this position in the order. */
  readonly after?: SortKey | undefined;
  /** The most bytes that the plants may certainly take as JSON. */
  readonly maxBytes: number;
}

/** What was read of one principal. */
interface Source {
  readonly principal: Principal;
  readonly rank: number;
  /** The last key that was read. */
  position: string | undefined;
  finished: boolean;
  found: number;
  damaged: number;
  /** How many plants it is asked for when the page is full: an eighth of the page, doubled by each such read. */
  share: number;
}

/** As many as the store's client has connections. */
const maxReadsInFlight = 8;
/** Then others start, or once the plants may be too large. Not after each response: choosing them looks at all principals. */
const fewReadsInFlight = maxReadsInFlight / 2;
/** When the page is full, most of a principal's plants come after it. Fewer in a read would save less than the request costs. */
const leastPlantsPerRead = 100;

/**
 * Reads the first plants of all principals, several principals at a time, each up to the last plant of the page. A principal
 * takes at most four reads (1 + 2 + 4 eighths, and the rest), and more only behind a page of 1 MB or damaged items.
 * @param onDamaged is told how many damaged items a read left out
 * @returns the plants in order, and one more than the limit when others follow
 * @throws {ServiceError} 1003 when the plants exceed `maxBytes`; what the store throws
 */
export const readPlants = async (
  store: PlantStore,
  { principals, after, limit, maxBytes }: ListQuery,
  onDamaged: (count: number) => void,
  signal: AbortSignal,
): Promise<readonly StoredPlant[]> => {
  const wanted = limit + 1;
  // No response holds as many, so a list that is too large remains so whatever follows.
  const isUnlimited = limit * leastPlantBytes > maxBytes;
  const plants = new FirstPlants(limit, maxBytes);
  const sources = principals.map((principal, rank): Source => ({
    principal,
    rank,
    position: after,
    finished: false,
    found: 0,
    damaged: 0,
    share: Math.max(Math.ceil(wanted / 8), leastPlantsPerRead),
  }));
  const reads = new Map<Source, Promise<Source>>();

  const isUnread = ({ finished, position = '' }: Source): boolean =>
    !finished && (plants.last === undefined || compareUtf8(position, plants.last) < 0);

  /** Counts the damaged items read so far again, so that many of them in a row need few reads. */
  const limitOf = (source: Source): number => {
    const share = plants.last === undefined ? wanted : source.share;
    if (share < wanted) source.share *= 2;
    return Math.min(share, wanted - source.found) + source.damaged;
  };

  const read = async (source: Source): Promise<Source> => {
    const { principal, rank, position } = source;
    const page = await store.readPage({ principal, after: position, limit: limitOf(source) }, signal);
    plants.add(page.plants, rank);
    onDamaged(page.damaged);
    source.found += page.plants.length;
    source.damaged += page.damaged;
    source.position = page.next;
    source.finished = page.next === undefined;
    return source;
  };

  for (;;) {
    const settledRank = sources.find(isUnread)?.rank ?? Infinity;
    let isTooLarge = plants.cut(settledRank);
    const unread = sources.filter(isUnread);
    // The page that the cut ends may leave nothing to read, so that every copy on it is settled.
    if (unread.length === 0 && settledRank < Infinity) isTooLarge = plants.cut(Infinity);
    if (isTooLarge && (unread.length === 0 || isUnlimited)) throw new ServiceError(catalogue.resultTooLarge);
    if (unread.length === 0) return plants.inOrder();
    // Copies of the first of them may have fewer bytes than those that are held. Until it is read, the others would add more.
    const next = plants.bytes > maxBytes ? unread.slice(0, 1) : unread;
    for (const source of next) {
      if (reads.size === maxReadsInFlight) break;
      if (!reads.has(source)) reads.set(source, read(source));
    }
    do reads.delete(await Promise.race(reads.values()));
    while (reads.size > fewReadsInFlight && plants.bytes <= maxBytes);
  }
};
