import Papa from 'papaparse';
import { rowFields } from './plant-row.ts';
import { UserError } from './terminal/user-error.ts';

/** A row's place in the file, such as "line 2", with what the row has, or what is wrong with it. */
type Row = Readonly<{ place: string; values?: unknown; problem?: string }>;

/** Splits a file into rows. Throws a `UserError` when it cannot. */
type ReadFormat = (text: string) => Iterable<Row>;

/**
 * CSV (RFC 4180), also with LF or CR as line end; the first one decides. The first row names the columns.
 * White space around a cell is not part of it, and empty rows are skipped.
 */
const readCsv: ReadFormat = function* (text) {
  const newline = /^[^\r\n]*\r+(?![\r\n])/.test(text) ? '\r' : '\n';
  // The parser does not accept white space after the last quote.
  const { data, errors } = Papa.parse<readonly string[]>(text.trimEnd(), { delimiter: ',', newline });
  const malformed = new Set(errors.map(({ row }) => row));
  let header: readonly string[] | undefined;
  let lastLine = 0;
  for (const [index, row] of data.entries()) {
    const place = `line ${String(lastLine + 1)}`;
    lastLine += row.join('').split(newline).length;
    const cells = row.map((cell) => cell.trim());
    if (cells.join('') === '') continue;
    // The parser reads a quote after white space as text.
    if (malformed.has(index) || row.some((cell) => /^\s+"/.test(cell)))
      yield { place, problem: `a quote in the wrong place, in a row that ends in line ${String(lastLine)}` };
    else if (header === undefined) header = headerOf(cells, place);
    else if (cells.length !== header.length)
      yield { place, problem: `columns: ${String(cells.length)} instead of ${String(header.length)}` };
    // As where two files were joined.
    else if (cells.join().toLowerCase() === header.join().toLowerCase())
      yield { place, problem: 'the column names again' };
    else yield { place, values: Object.fromEntries(header.map((column, index) => [column, cells[index]])) };
  }
};

const headerOf = (cells: readonly string[], place: string): readonly string[] => {
  const names = cells.map((cell) => rowFields.find((each) => each.toLowerCase() === cell.toLowerCase()));
  const known = new Set(names.filter((name) => name !== undefined));
  if (known.has('name') && known.size === cells.length) return [...known];
  const others = rowFields.slice(1).join(', ');
  throw new UserError(`In ${place}, list columns once, with commas between: name, and any of ${others}.`);
};

/** An array of objects. */
const readJson: ReadFormat = function* (text) {
  const { values, problem = 'Not an array' } = parseJson(text);
  if (!Array.isArray(values))
    throw new UserError(`${problem}. Correct the file, or pass --format ndjson for an object on each line.`);
  for (const [index, each] of values.entries()) yield { place: `element ${String(index + 1)}`, values: each };
};

/** An object on each line. Lines of white space are skipped. */
const readNdjson: ReadFormat = function* (text) {
  for (const [index, line] of text.split('\n').entries())
    // Also without the byte order mark of a joined file.
    if (line.trim() !== '') yield { place: `line ${String(index + 1)}`, ...parseJson(line.trim()) };
};

const parseJson = (text: string): Omit<Row, 'place'> => {
  try {
    return { values: JSON.parse(text) };
  } catch (error) {
    return { problem: String(error) };
  }
};

export const formats = new Map(Object.entries({ csv: readCsv, json: readJson, ndjson: readNdjson }));
