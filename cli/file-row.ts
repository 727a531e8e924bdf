import type { Field } from '../table/field-kinds.ts';

/** The fields that a row can have, by name. */
export type RowFields = ReadonlyMap<string, Field>;

/** The values of a row of a file, or what is wrong with the row. */
export type RowContent = Readonly<
  { values: unknown; problem?: undefined } | { values?: undefined; problem: string }
>;

/** A row, with its place in the file, such as "line 2". */
export type FileRow = RowContent & { readonly place: string };

/** Splits the text of a file into rows. Throws a `UserError` when it cannot. */
export type SplitFile = (text: string, fields: RowFields) => Iterable<FileRow>;
