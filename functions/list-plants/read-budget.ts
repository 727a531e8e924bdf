/** How many bytes of the store's answers may be requested and held at once, for all principals together. */
export const budgetBytes = 4 * 1024 * 1024;
/** The store answers one read with at most this many bytes (AWS: "Quotas in Amazon DynamoDB", result set of a Query). */
export const maxPageBytes = 1024 * 1024;
/** How many reads may be in progress at once. The others start when the size of the first answers is known. */
export const maxReads = 16;

/** What one principal's reads take of the budget. */
export interface Reader {
  /** Whether everything was read. */
  readonly finished: boolean;
  /** Bytes that were read and not merged yet. */
  readonly held: number;
  /** Bytes that the read in progress may return; 0: none is in progress. */
  readonly requested: number;
  /** Bytes that the last read could return; undefined: there was none. */
  readonly granted?: number | undefined;
  /** Bytes that it did return. */
  readonly lastPage: number;
}

/** A principal whose next part is to be read. */
export interface Grant<Each extends Reader> {
  readonly reader: Each;
  /** How many bytes the read may return. */
  readonly bytes: number;
}

/** How much larger than the last a read may be. A principal that is read alone soon gets whole pages. */
const growth = 4;

/**
 * Chooses what to read next: principals that have less than half of their last part left, empty ones first.
 * They share what is free. A quarter of the budget is kept for the others, so that none waits for another's plants to be
 * merged.
 */
export const grantReads = <Each extends Reader>(
  readers: readonly Each[],
  isNeeded: (reader: Each) => boolean,
): readonly Grant<Each>[] => {
  const unfinished = readers.filter(({ finished }) => !finished);
  const slots = maxReads - unfinished.filter(({ requested }) => requested > 0).length;
  const due = unfinished.filter((reader) => isDue(reader) && isNeeded(reader));
  if (slots <= 0 || due.length === 0) return [];
  const kept = budgetBytes / 4 / unfinished.length;
  const used = readers.reduce(
    (sum, { finished, held, requested }) => sum + (finished ? held : Math.max(kept, held + requested)),
    0,
  );
  const share = Math.max(0, budgetBytes - used) / due.length;
  return [...due.filter(({ held }) => held === 0), ...due.filter(({ held }) => held > 0)]
    .slice(0, slots)
    .map((reader) => {
      const { held, granted = Infinity } = reader;
      return {
        reader,
        bytes: Math.min(Math.max(0, kept - held) + share, granted * growth, maxPageBytes),
      };
    });
};

const isDue = ({ held, requested, lastPage }: Reader): boolean => requested === 0 && held <= lastPage / 2;
