import Papa from 'papaparse';
import { columns } from './plant-row.ts';
import { count } from './terminal/count.ts';
import { UserError } from './terminal/user-error.ts';

/** What a row has, or what is wrong with it. */
type Content =
  | { readonly values: unknown; readonly problem?: undefined }
  | { readonly values?: undefined; readonly problem: string };

/** A row with its place in the file, such as "line 2". */
type Row = { readonly place: string } & Content;

/** Splits a file into rows. Throws a `UserError` when it cannot. */
type ReadFormat = (text: string, file: string) => Iterable<Row>;

/**
 * CSV (RFC 4180), also with LF as line end. The first row names the columns. White space around a cell is not
 * part of it, an empty cell is no value, and empty rows are skipped.
 */
const readCsv: ReadFormat = function* (text, file) {
  // The parser does not accept white space after the last quote.
  const { data, errors } = Papa.parse<readonly string[]>(text.trimEnd(), { delimiter: ',', newline: '\n' });
  const malformed = new Set(errors.map(({ row }) => row));
  let header: readonly string[] | undefined;
  let lastLine = 0;
  for (const [index, row] of data.entries()) {
    const place = `line ${String(lastLine + 1)}`;
    lastLine += row.join('').split('\n').length;
    const cells = row.map((cell) => cell.trim());
    if (cells.join('') === '') continue;
    // The parser reads a quote after white space as text.
    if (malformed.has(index) || row.some((cell) => /^\s+"/.test(cell)))
      yield { place, problem: `has a quote in the wrong place, and ends in line ${String(lastLine)}` };
    else if (header === undefined) header = headerOf(cells, `${file}, ${place}`);
    else if (cells.length !== header.length)
      yield { place, problem: `has ${count(cells.length, 'column')} instead of ${String(header.length)}` };
    // As where two files were joined.
    else if (cells.join().toLowerCase() === header.join()) yield { place, problem: 'has the column names' };
    else yield { place, values: Object.fromEntries(header.map((column, index) => [column, cells[index]])) };
  }
};

const headerOf = (cells: readonly string[], place: string): readonly string[] => {
  const names = cells.map((cell) => cell.toLowerCase());
  const wrong = names.find((name, index) => !columns.includes(name) || names.indexOf(name) < index);
  if (wrong === undefined && names.includes('name')) return names;
  const problem = wrong === undefined ? 'name is missing' : `${JSON.stringify(wrong)} is unknown or repeated`;
  throw new UserError(`${place} must list columns with commas between (${columns.join(', ')}): ${problem}.`);
};

/** An array of objects. */
const readJson: ReadFormat = function* (text, file) {
  const { values, problem = 'is not an array of objects' } = parseJson(text);
  if (!Array.isArray(values))
    throw new UserError(
      `${file} ${problem}. Correct it, or pass --format ndjson for an object on each line.`,
    );
  for (const [index, each] of values.entries()) yield { place: `element ${String(index + 1)}`, values: each };
};

/** An object on each line. Lines of white space are skipped. */
const readNdjson: ReadFormat = function* (text) {
  for (const [index, line] of text.split('\n').entries())
    // Also without the byte order mark of a joined file.
    if (line.trim() !== '') yield { place: `line ${String(index + 1)}`, ...parseJson(line.trim()) };
};

const parseJson = (text: string): Content => {
  try {
    return { values: JSON.parse(text) };
  } catch (error) {
    // Node's message ends with the position of most errors.
    const [position = ''] = / \(line \d+ column \d+\)$/.exec(String(error)) ?? [];
    return { problem: `is not valid JSON${position.replace('line 1 ', '')}` };
  }
};

export const formats = new Map<string, ReadFormat>([
  ['csv', readCsv],
  ['json', readJson],
  ['ndjson', readNdjson],
]);
