import { CsvError, parse } from 'csv-parse/sync';
import { count } from './terminal/count.ts';
import { UserError } from './terminal/user-error.ts';
import { parseJson } from './parse-json.ts';
import { BadRow, columns } from './plant-row.ts';

/**
 * Calls `onRow` with each row's place, such as "line 2", and a function that reads it or throws `BadRow`.
 * @throws {UserError} when the file cannot be split into rows
 */
type ReadFormat = (text: string, file: string, onRow: (place: string, values: () => unknown) => void) => void;

/** CSV (RFC 4180) whose first row names the columns. An empty cell is no value; empty lines are skipped. */
const readCsv: ReadFormat = (text, file, onRow) => {
  let header: readonly string[] | undefined;
  let [lastLine, emptyLines] = [0, 0];
  const onRecord = (cells: readonly string[], info: { readonly empty_lines: number }): undefined => {
    // Not `info.lines`, which counts CR LF in a cell twice.
    const line = lastLine + 1 + info.empty_lines - emptyLines;
    lastLine = line + cells.join('').split('\n').length - 1;
    emptyLines = info.empty_lines;
    const names = header;
    if (names === undefined) header = headerOf(cells, file);
    else onRow(`line ${String(line)}`, () => valuesOf(cells, names));
  };
  const options = { relax_column_count: true, skip_empty_lines: true, record_delimiter: ['\r\n', '\n'] };
  try {
    parse(text, { ...options, on_record: onRecord });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = `${file}, line ${String(lastLine + 1)}`;
    throw new UserError(`${row} has a quote that is not closed, or in the wrong place. Correct it.`);
  }
};

const headerOf = (cells: readonly string[], file: string): readonly string[] => {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const wrong = names.find((name, index) => !columns.includes(name) || names.indexOf(name) !== index);
  if (wrong === undefined && names.includes('name')) return names;
  const problem = wrong === undefined ? 'name is missing' : `${JSON.stringify(wrong)} is unknown or repeated`;
  throw new UserError(
    `${file}, line 1 must list columns with commas between (allowed: ${columns.join(', ')}): ${problem}.`,
  );
};

const valuesOf = (cells: readonly string[], header: readonly string[]): unknown => {
  if (cells.length !== header.length)
    throw new BadRow(`has ${count(cells.length, 'column')} instead of ${String(header.length)}`);
  const values = header.map((column, index) => [column, cells[index]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
};

/** An array of objects. */
const readJson: ReadFormat = (text, file, onRow) => {
  const advice = 'Correct it, or pass --format ndjson if it has an object on each line.';
  const rows = parseJson(
    text,
    (line, column) => new UserError(`${file} is not valid JSON (line ${line} column ${column}). ${advice}`),
  );
  if (!Array.isArray(rows)) throw new UserError(`${file} is not an array of objects. ${advice}`);
  for (const [index, values] of rows.entries()) onRow(`element ${String(index + 1)}`, (): unknown => values);
};

/** An object on each line. Empty lines are skipped. */
const readNdjson: ReadFormat = (text, _, onRow) => {
  const toBadRow = (_: string, column: string) => new BadRow(`is not valid JSON (column ${column})`);
  for (const [index, line] of text.split(/\r?\n/).entries())
    if (line.trim() !== '') onRow(`line ${String(index + 1)}`, () => parseJson(line, toBadRow));
};

export const formats = { csv: readCsv, json: readJson, ndjson: readNdjson } as const;
