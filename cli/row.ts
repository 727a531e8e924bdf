/** A row of a file that plants are read from, with the line it begins on. */
export interface Row {
  readonly line: number;
  /** What stands there: an object of columns, or whatever else could be read. */
  readonly values: unknown;
  /** Why there are no columns, as the end of a sentence that begins with the row. */
  readonly problem?: string;
}

/** A longer row is not kept in memory: it is refused. */
export const maxRowBytes = 1_000_000;
