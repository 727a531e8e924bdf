import { count } from '../../terminal/count.ts';
import { FileError } from './file-error.ts';
import { maxRowBytes, type Row } from './row.ts';
import { type TextLine, textLines } from './text-lines.ts';

/**
 * Reads CSV (RFC 4180) in UTF-8 whose first row names the columns. An empty cell is no value; empty lines are skipped.
 * @throws {FileError} when the first row does not name the columns
 */
export async function* readCsv(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let header: readonly string[] | undefined;
  for await (const record of records(textLines(chunks))) {
    if (/^\r?$/.test(record.text)) continue;
    if (header === undefined) header = headerOf(record);
    else yield rowOf(record, header);
  }
}

/**
 * Joins the lines of a row, since a quoted cell may hold line ends. An unclosed quote costs only the line it is on: the
 * lines after it are read as rows. A CSV library would read them as part of the cell, and lose them.
 */
async function* records(lines: AsyncIterable<TextLine>): AsyncGenerator<TextLine> {
  /** The lines of a row whose quoted cell is not closed yet. */
  let open: TextLine | undefined;
  for await (const line of lines) {
    const hasOddQuotes = line.problem === undefined && line.text.split('"').length % 2 === 0;
    const joined = open && { ...line, line: open.line, text: `${open.text}\n${line.text}` };
    if (joined && hasOddQuotes && cellsOf(joined.text)) {
      yield joined;
      open = undefined;
    } else if (joined && !hasOddQuotes && !joined.problem && joined.text.length <= maxRowBytes) open = joined;
    else {
      if (open) yield* apart(open);
      if (!hasOddQuotes) yield line;
      open = hasOddQuotes ? line : undefined;
    }
  }
  if (open) yield* apart(open);
}

const apart = ({ line, text }: TextLine): readonly TextLine[] =>
  text.split('\n').map((each, index) => {
    const row = { line: line + index, text: each };
    return index === 0 ? { ...row, problem: 'has a quote that is not closed' } : row;
  });

const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r]*))(,|\r?$)/gy;

/** @returns undefined when the text is not CSV */
const cellsOf = (text: string): readonly string[] | undefined => {
  const cells: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(cell)) {
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') return cells;
  }
  return undefined;
};

const columns: readonly string[] = ['id', 'name', 'tag'];
const headerOf = ({ line, text }: TextLine): readonly string[] => {
  const names = (cellsOf(text) ?? []).map((name) => name.trim().toLowerCase());
  const wrong = names.findIndex((name, index) => !columns.includes(name) || names.indexOf(name) !== index);
  if (wrong === -1 && names.includes('name')) return names;
  let problem = `column ${String(wrong + 1)} is unknown or repeated`;
  if (wrong === -1) problem = 'no column is called name';
  if (/\r[^]/.test(text)) problem = 'the lines end with CR instead of LF or CRLF';
  const rule = 'the first row must name the columns, separated by commas: name, optionally id and tag';
  throw new FileError(`Line ${String(line)}: ${rule} (${problem}).`);
};

const rowOf = ({ line, text, problem }: TextLine, header: readonly string[]): Row => {
  if (problem !== undefined) return { line, values: text, problem };
  const cells = cellsOf(text);
  if (cells === undefined) return { line, values: text, problem: 'has a quote or CR in the wrong place' };
  if (cells.length !== header.length) {
    const amount = `${count(cells.length, 'column')} instead of ${String(header.length)}`;
    return { line, values: cells, problem: `has ${amount}` };
  }
  const values = header.map((column, index) => [column, cells[index]] as const);
  return { line, values: Object.fromEntries(values.filter(([, value]) => value !== '')) };
};
