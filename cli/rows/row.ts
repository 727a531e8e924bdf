/** A row of a file, with the line where it begins. */
export interface Row {
  readonly line: number;
  /** Its number in an array, if it shares its line with other rows. */
  readonly element?: number;
  /** An object with a value for each column; if there is a problem, whatever could be read. */
  readonly values: unknown;
  /** Why the row cannot be loaded, as the end of the sentence "Line 1 …". */
  readonly problem?: string;
}

/** Where a row is: "1", or "1, element 2". */
export const placeOf = ({ line, element }: Row): string =>
  element === undefined ? String(line) : `${String(line)}, element ${String(element)}`;

/** A longer row is refused, so that it does not fill the memory. */
export const maxRowBytes = 1_000_000;
