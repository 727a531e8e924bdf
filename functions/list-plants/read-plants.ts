import type { Principal } from '../../table/principal.ts';
import { compareUtf8 } from '../../table/utf8.ts';
import { FirstPlants } from './first-plants.ts';
import type { ListQuery } from './list-plants.ts';
import type { PlantStore } from './plant-store.ts';

/** What was read of one principal. */
interface Source {
  readonly principal: Principal;
  readonly rank: number;
  /** The last key that was read. */
  position: string | undefined;
  finished: boolean;
  damaged: number;
}

/** As many as the store's client has connections. */
const maxReadsInFlight = 8;
/** Then others start, or once the plants may be too large. Not after each response: choosing them looks at all principals. */
const fewReadsInFlight = maxReadsInFlight / 2;
/** When the page is full, most of a principal's plants come after it. Fewer in a read would save less than the request costs. */
const leastPlantsPerRead = 100;

/**
 * Reads the first plants of all principals, several principals at a time, each up to the last plant of the page.
 * @param onDamaged is told how many damaged items a read left out
 * @returns as soon as all is read, or a list without limit is certain to be too large
 * @throws {ServiceError} what the store throws
 */
export const readPlants = async (
  store: PlantStore,
  { principals, after, limit = Infinity, maxBytes }: ListQuery,
  onDamaged: (count: number) => void,
  signal: AbortSignal,
): Promise<FirstPlants> => {
  const wanted = limit + 1;
  const plants = new FirstPlants(limit, maxBytes);
  const sources = principals.map((principal, rank): Source => ({
    principal,
    rank,
    position: after,
    finished: false,
    damaged: 0,
  }));
  const reads = new Map<Source, Promise<Source>>();

  const isUnread = ({ finished, position = '' }: Source): boolean =>
    !finished && (plants.last === undefined || compareUtf8(position, plants.last) < 0);

  /** Counts the damaged items read so far again, so that many of them in a row need few reads. */
  const limitOf = ({ damaged }: Source): number =>
    damaged +
    (plants.last === undefined
      ? wanted - plants.size
      : Math.min(wanted, Math.max(Math.ceil(wanted / 8), leastPlantsPerRead)));

  const read = async (source: Source): Promise<Source> => {
    const { principal, rank, position } = source;
    const most = limitOf(source);
    const page = await store.readPage(
      { principal, after: position, limit: most === Infinity ? undefined : most },
      signal,
    );
    plants.add(page.plants, rank);
    onDamaged(page.damaged);
    source.damaged += page.damaged;
    source.position = page.next;
    source.finished = page.next === undefined;
    return source;
  };

  for (;;) {
    const settledRank = sources.find(isUnread)?.rank ?? Infinity;
    plants.cut(settledRank);
    const unread = sources.filter(isUnread);
    // The page that the cut ends may leave nothing to read, so that every copy on it is settled.
    if (unread.length === 0 && settledRank < Infinity) plants.cut(Infinity);
    if (unread.length === 0 || (limit === Infinity && plants.isTooLarge)) return plants;
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
