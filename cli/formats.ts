import { columns } from './plant-row.ts';
import { count } from './terminal/count.ts';
import { UserError } from './terminal/user-error.ts';

/** What a row has, or what is wrong with it. */
type Content = { readonly values: unknown } | { readonly problem: string };

/** A row with its place in the file, such as "line 2". */
export type Row = { readonly place: string } & Content;

/** Splits a file into rows. Throws a `UserError` when it cannot. */
type ReadFormat = (text: string, file: string) => Iterable<Row>;

/** A record with its line end. It has line ends in quotes, and all that follows an open quote. */
const recordPattern = /[^"\n]*(?:"[^"]*(?:"[^"\n]*|$))*(?:\n|$)/gy;
/** The comma before a cell, and the cell: in quotes, where "" stands for a quote, or without. */
const cellPattern = /,(?:[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*|([^",\r\n]*))(?=,|$)/gy;
/** RFC 4180 allows no control character but line ends in quotes; a byte order mark is never data. */
const forbidden = /[\0-\x08\v\f\x0e-\x1f\x7f\ufeff]/;
const notCsv = 'has a quote, control character or byte order mark in the wrong place (RFC 4180)';

/**
 * CSV (RFC 4180), also with LF as line end. The first record names the columns. White space around a cell is
 * not part of it, an empty cell is no value, and lines of white space are skipped. No library: csv-parse
 * accepts a CR in a cell, which RFC 4180 forbids, and counts it as a line.
 */
const readCsv: ReadFormat = function* (text, file) {
  let header: readonly string[] | undefined;
  let line = 1;
  for (const [record] of text.matchAll(recordPattern)) {
    const place = `line ${String(line)}`;
    line += record.split('\n').length - 1;
    if (record.trim() === '') continue;
    const cells = cellsOf(record.replace(/\r?\n$/, ''));
    if (cells === undefined) yield { place, problem: notCsv };
    else if (header === undefined) header = headerOf(cells, `${file}, ${place}`);
    else if (cells.length !== header.length)
      yield { place, problem: `has ${count(cells.length, 'column')} instead of ${String(header.length)}` };
    else yield { place, values: Object.fromEntries(header.map((column, index) => [column, cells[index]])) };
  }
};

/** The cells of a record without its line end; undefined if RFC 4180 forbids it. */
const cellsOf = (record: string): readonly string[] | undefined => {
  const matches = [...`,${record}`.matchAll(cellPattern)];
  const cells = matches.map(([, quoted, bare = '']) => quoted?.replaceAll('""', '"') ?? bare.trim());
  const isWhole = matches.map(([match]) => match).join('').length === record.length + 1;
  return isWhole && !forbidden.test(record) && !cells.some((cell) => cell.includes('\t')) ? cells : undefined;
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
  const json = parseJson(text);
  const problem = 'problem' in json ? json.problem : 'is not an array of objects';
  if ('problem' in json || !Array.isArray(json.values))
    throw new UserError(
      `${file} ${problem}. Correct it, or pass --format ndjson for an object on each line.`,
    );
  for (const [index, values] of json.values.entries())
    yield { place: `element ${String(index + 1)}`, values };
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
