import { type Cell, type CsvRow, splitCsv } from './csv-syntax.ts';
import { rowFields } from './plant-row.ts';
import { UserError } from '../terminal/user-error.ts';

/** What a row has, or what is wrong with it. */
type Content = Readonly<{ values: unknown; problem?: undefined } | { plant?: undefined; problem: string }>;

/** A row's place in the file, such as "line 2", and its content. */
type Row = Content & { readonly place: string };

/** Splits a file into rows. Throws a `UserError` when it cannot. */
type ReadFormat = (text: string) => Iterable<Row>;

/** CSV whose first row names the columns. Cells are trimmed, and blank rows are skipped. */
const readCsv: ReadFormat = function* (text) {
  let header: readonly string[] | undefined;
  for (const row of splitCsv(text)) {
    if (isBlank(row)) continue;
    if (header === undefined) header = headerOf(row);
    else yield { place: `line ${String(row.firstLine)}`, ...readCells(row, header) };
  }
};

const hasMisplacedQuote = ({ cells }: CsvRow): boolean => cells.some((cell) => cell.hasMisplacedQuote);

const isBlank = (row: CsvRow): boolean =>
  !hasMisplacedQuote(row) && row.cells.every(({ text }) => text.trim() === '');

const headerOf = (row: CsvRow): readonly string[] => {
  const names = row.cells.map(({ text }) => rowFields.find((field) => sameColumn(field, text)));
  const known = new Set(names.filter((name) => name !== undefined));
  if (known.has('name') && known.size === names.length && !hasMisplacedQuote(row)) return [...known];
  const others = rowFields.slice(1).join(', ');
  throw new UserError(
    `In line ${String(row.firstLine)}, list columns once, with commas between: name, and any of ${others}.`,
  );
};

const readCells = (row: CsvRow, header: readonly string[]): Content => {
  const { cells } = row;
  if (hasMisplacedQuote(row))
    return { problem: `a quote in the wrong place, in a row that ends in line ${String(row.lastLine)}` };
  // As where two files were joined.
  if (cells.length === header.length && cells.every(({ text }, index) => sameColumn(header[index], text)))
    return { problem: 'the column names again' };
  for (const [index, cell] of cells.entries()) {
    const character = brokenCharacter(cell);
    if (character !== undefined) return { problem: `${header[index] ?? 'a cell'} has ${character}` };
  }
  if (cells.length !== header.length)
    return { problem: `columns: ${String(cells.length)} instead of ${String(header.length)}` };
  const entries = cells.map(({ text }, index) => [header[index] ?? '', text.trim()] as const);
  // An empty cell is no value.
  return { values: Object.fromEntries(entries.filter(([, text]) => text !== '')) };
};

const sameColumn = (column: string | undefined, text: string): boolean =>
  text.trim().toLowerCase() === column?.toLowerCase();

/** The first control character or byte order mark in a cell, such as U+001A. Line ends may be in quotes. */
const brokenCharacter = ({ text, isQuoted }: Cell): string | undefined => {
  const withoutLineEnds = isQuoted ? text.replaceAll(/\r?\n/g, ' ') : text;
  // `trim` removes a byte order mark, too.
  const [found] = /\ufeff/.exec(text) ?? /\p{Cc}/u.exec(withoutLineEnds.trim()) ?? [];
  return found === undefined
    ? undefined
    : `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
};

/** An array of objects. */
const readJson: ReadFormat = function* (text) {
  const content = parseJson(text);
  if (content.problem !== undefined || !Array.isArray(content.values)) {
    const { problem = 'Not an array' } = content;
    throw new UserError(`${problem}. Correct the file, or pass --format ndjson for an object on each line.`);
  }
  for (const [index, each] of content.values.entries())
    yield { place: `element ${String(index + 1)}`, values: each };
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
    return { problem: String(error) };
  }
};

export const formats = new Map(Object.entries({ csv: readCsv, json: readJson, ndjson: readNdjson }));
