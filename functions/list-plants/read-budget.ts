const mebibyte = 1024 * 1024;
/** How many bytes of the store's responses are requested and held at once, for all principals together. */
const budgetBytes = 4 * mebibyte;
/** Shared equally when there is no room for a whole page of each principal. The rest is for a principal that is read alone. */
const sharedBytes = 3 * mebibyte;
/** AWS: "Quotas in Amazon DynamoDB", result set of a Query. */
export const maxPageBytes = mebibyte;
/** As many as the store's client has connections at most. More reads start when the size of these responses is known. */
const maxReads = 16;

/** What a principal uses of the budget. */
export interface Reader {
  /** Whether everything was read. */
  readonly finished: boolean;
  /** Bytes that were read and not merged yet. */
  readonly held: number;
  /** Bytes that the read in progress may return; 0: none is in progress. */
  readonly requested: number;
}

/** A read to start. */
export interface Grant<Each extends Reader> {
  readonly reader: Each;
  /** How many bytes it may return; undefined: as many as the store returns at once. */
  readonly bytes: number | undefined;
}

/**
 * Chooses the next reads: of principals of which more is needed, and less than half of their part is held.
 * A principal that is read alone, because its plants precede the others', may use what the others do not need.
 */
export const grantReads = <Each extends Reader>(
  readers: readonly Each[],
  isNeeded: (reader: Each) => boolean,
): readonly Grant<Each>[] => {
  const total = readers.length * maxPageBytes > budgetBytes ? sharedBytes : budgetBytes;
  const part = Math.min(total / readers.length, maxPageBytes);
  const inProgress = readers.filter(({ requested }) => requested > 0).length;
  const due = readers.filter(
    (reader) => !reader.finished && reader.requested === 0 && reader.held <= part / 2 && isNeeded(reader),
  );
  const free = readers.reduce(
    (rest, { finished, held, requested }) => rest - (finished ? held : Math.max(part, held + requested)),
    budgetBytes,
  );
  const isAlone = inProgress === 0 && due.length === 1;
  const extra = isAlone ? free : Math.max(0, free - maxPageBytes) / due.length;
  return (
    due
      .sort((a, b) => a.held - b.held)
      // Items can be larger than those that were read before. Then one read at a time makes room again.
      .slice(0, Math.max(0, (free < 0 ? 1 : maxReads) - inProgress))
      .map((reader) => {
        const bytes = part - reader.held + extra;
        return { reader, bytes: bytes < maxPageBytes ? bytes : undefined };
      })
  );
};
