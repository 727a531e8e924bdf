import { columns } from './plant-row.ts';
import { count } from './terminal/count.ts';
import { UserError } from './terminal/user-error.ts';

/** A row's place in its file, such as "line 2", with its values or with what is wrong with it. */
export type Row = { readonly place: string } & ({ readonly values: unknown } | { readonly problem: string });

/** Splits a file into rows. Throws a `UserError` when it cannot. */
type ReadFormat = (text: string, file: string) => Iterable<Row>;

/** A record with its line end. Line ends in quotes are part of it. */
const recordPattern = /[^"\n]*(?:"[^"]*"[^"\n]*)*(?:\n|$)/gy;
/** The comma before a cell, and the cell: in quotes, where "" stands for a quote, or without. */
const cellPattern = /,(?:[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*|([^",\r\n]*))(?=,|$)/gy;
/** RFC 4180 allows no control character but line ends in quotes; a byte order mark is never data. */
const forbidden = /[\0-\x08\v\f\x0e-\x1f\x7f\ufeff]/;

/**
 * CSV (RFC 4180), also with LF as line end. The first record names the columns. White space around a cell is
 * not part of it, an empty cell is no value, and lines of white space are skipped. No library: csv-parse
 * accepts a CR in a cell, which RFC 4180 forbids, and counts it as a line.
 */
const readCsv: ReadFormat = function* (text, file) {
  let header: readonly string[] | undefined;
  let [position, line] = [0, 1];
  for (const [record] of text.matchAll(recordPattern)) {
    const place = `line ${String(line)}`;
    position += record.length;
    line += record.split('\n').length - 1;
    if (record.trim() === '') continue;
    const cells = cellsOf(record.replace(/\r?\n$/, ''));
    if (header === undefined) header = headerOf(cells, `${file}, ${place}`);
    else if (cells === undefined) yield { place, problem: `has ${notCsv}` };
    else if (cells.length !== header.length)
      yield { place, problem: `has ${count(cells.length, 'column')} instead of ${String(header.length)}` };
    else {
      const values = header.map((column, index) => [column, cells[index]] as const);
      yield { place, values: Object.fromEntries(values.filter(([, value]) => value !== '')) };
    }
  }
  if (position < text.length)
    throw new UserError(`${file}, line ${String(line)} has a quote that is not closed. Correct it.`);
};

const notCsv = 'a quote, control character or byte order mark in the wrong place (RFC 4180)';

/** The cells of a record without its line end; undefined if RFC 4180 forbids it. */
const cellsOf = (record: string): readonly string[] | undefined => {
  if (forbidden.test(record)) return undefined;
  const cells: string[] = [];
  let length = -1;
  for (const [match, quoted, unquoted = ''] of `,${record}`.matchAll(cellPattern)) {
    length += match.length;
    cells.push(quoted?.replaceAll('""', '"') ?? unquoted.trim());
  }
  return length === record.length && !cells.some((cell) => cell.includes('\t')) ? cells : undefined;
};

const headerOf = (cells: readonly string[] | undefined, place: string): readonly string[] => {
  const names = cells?.map((cell) => cell.toLowerCase()) ?? [];
  const wrong = names.find((name, index) => !columns.includes(name) || names.indexOf(name) !== index);
  if (wrong === undefined && names.includes('name')) return names;
  const unknown = wrong === undefined ? 'name is missing' : `${JSON.stringify(wrong)} is unknown or repeated`;
  const problem = cells === undefined ? `it has ${notCsv}` : unknown;
  throw new UserError(
    `${place} must list columns with commas between (allowed: ${columns.join(', ')}): ${problem}.`,
  );
};

/** An array of objects. */
const readJson: ReadFormat = function* (text, file) {
  const advice = 'Correct it, or pass --format ndjson if it has an object on each line.';
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (error) {
    throw new UserError(`${file} is not valid JSON${positionIn(error)}. ${advice}`);
  }
  if (!Array.isArray(rows)) throw new UserError(`${file} is not an array of objects. ${advice}`);
  for (const [index, values] of rows.entries()) yield { place: `element ${String(index + 1)}`, values };
};

/** An object on each line. Lines of white space are skipped. */
const readNdjson: ReadFormat = function* (text) {
  for (const [index, untrimmed] of text.split('\n').entries()) {
    const place = `line ${String(index + 1)}`;
    // Also without the byte order mark of a joined file.
    const line = untrimmed.trim();
    if (line === '') continue;
    try {
      yield { place, values: JSON.parse(line) };
    } catch (error) {
      yield { place, problem: `is not valid JSON${positionIn(error).replace('line 1 ', '')}` };
    }
  }
};

/** V8's position of a syntax error, such as " (line 2 column 12)". It names none for an unexpected token. */
const positionIn = (error: unknown): string => / \(line \d+ column \d+\)$/.exec(String(error))?.[0] ?? '';

export const formats = { csv: readCsv, json: readJson, ndjson: readNdjson } as const;
