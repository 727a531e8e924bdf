/** A row of a file that plants are read from, with the line it begins on. */
export interface Row {
  readonly line: number;
  /** Its number in an array, where a line does not tell it from others. */
  readonly element?: number;
  /** What stands there: an object of columns, or whatever else could be read. */
  readonly values: unknown;
  /** Why there are no columns, as the end of a sentence that begins with the row. */
  readonly problem?: string;
}

/** Where a row is, as a person would say after the word line. */
export const placeOf = ({ line, element }: Row): string =>
  element === undefined ? String(line) : `${String(line)}, element ${String(element)}`;

/** A longer row is not kept in memory: it is refused. */
export const maxRowBytes = 1_000_000;
