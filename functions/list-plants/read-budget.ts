const mebibyte = 1024 * 1024;
/** How many bytes of the store's answers are requested and held at once, for all principals together. */
const budgetBytes = 4 * mebibyte;
/** What the principals share. The rest is for the one that the others wait for, which may have all of the next plants. */
const sharedBytes = 3 * mebibyte;
/** AWS: "Quotas in Amazon DynamoDB", result set of a Query. */
export const maxPageBytes = mebibyte;
/** More reads start when the size of these answers is known. */
const maxReads = 16;
/** How much more than the last a read may return. */
const maxGrowth = 4;

/** A principal's part of the budget. */
export interface Reader {
  /** Whether everything was read. */
  readonly finished: boolean;
  /** Bytes that were read and not merged yet. */
  readonly held: number;
  /** Bytes that the read in progress may return; 0: none is in progress. */
  readonly requested: number;
  /** Bytes that the last read was granted, and that it returned; undefined: there was none. */
  readonly last?: { readonly granted: number; readonly returned: number } | undefined;
}

/** A read to start. */
export interface Grant<Each extends Reader> {
  readonly reader: Each;
  /** How many bytes it may return; undefined: as many as the store returns at once. */
  readonly bytes: number | undefined;
}

/**
 * Chooses the next reads, of principals that have at most half of their last part left.
 * @param readers all principals
 * @param due those of which more is needed
 * @param slowest the one that was read least far: no plant can be merged beyond its last
 */
export const grantReads = <Each extends Reader>(
  readers: readonly Each[],
  isNeeded: (reader: Each) => boolean,
  slowest: Each | undefined,
): readonly Grant<Each>[] => {
  const slots = maxReads - readers.filter(({ requested }) => requested > 0).length;
  const due = readers.filter((reader) => isDue(reader) && isNeeded(reader));
  if (slots === 0 || due.length === 0) return [];
  const used = readers.reduce((sum, { held, requested }) => sum + held + requested, 0);
  const share = Math.max(0, sharedBytes - used) / due.length;
  const extra = (budgetBytes - used - share * due.length) / 2;
  const leastShare = sharedBytes / readers.length / 2;
  const grant = (reader: Each): Grant<Each> => {
    const limit = reader.last === undefined ? share : reader.last.granted * maxGrowth;
    const bytes = Math.min(reader === slowest ? share + extra : share, limit);
    return { reader, bytes: bytes < maxPageBytes ? bytes : undefined };
  };
  return due
    .filter((reader) => reader === slowest || share >= leastShare)
    .sort((a, b) => a.held - b.held)
    .slice(0, slots)
    .map(grant);
};

const isDue = ({ finished, held, requested, last }: Reader): boolean =>
  !finished && requested === 0 && held <= (last?.returned ?? 0) / 2;
