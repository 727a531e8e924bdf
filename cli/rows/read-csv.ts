import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { FileError } from './file-error.ts';
import { count } from '../../terminal/count.ts';
import { maxRowBytes, type Row } from './row.ts';
import { type TextLine, textLines } from './text-lines.ts';

const columns: readonly string[] = ['id', 'name', 'tag'];

/** Records parsed at a time: the parser costs more to start than to run. */
const parsedTogether = 200;

/**
 * Reads CSV (RFC 4180) in UTF-8 whose first row names the columns; an empty cell is no value, empty lines are passed over.
 * @throws {FileError} when the first row does not name the columns
 */
export async function* readCsv(chunks: AsyncIterable<Buffer>): AsyncGenerator<Row> {
  let header: readonly string[] | undefined;
  let waiting: CsvRecord[] = [];
  const rowsOf = function* (records: readonly CsvRecord[]): Generator<Row> {
    for (const { line, cells, text, problem } of parseRecords(records)) {
      if (header === undefined) header = columnsOf(line, cells);
      else yield problem === undefined ? rowOf(line, header, cells) : { line, values: text, problem };
    }
  };
  for await (const record of records(textLines(chunks))) {
    waiting.push(record);
    if (waiting.length < parsedTogether && header !== undefined) continue;
    yield* rowsOf(waiting);
    waiting = [];
  }
  yield* rowsOf(waiting);
}

/** The lines of one row: a quoted cell may hold line ends. */
type CsvRecord = TextLine;

/**
 * Puts lines together until their quotes are even. A quote that is never closed spoils its own line alone: the lines
 * after it are read on their own.
 */
async function* records(lines: AsyncIterable<TextLine>): AsyncGenerator<CsvRecord> {
  let open: TextLine[] = [];
  let length = 0;
  const add = (each: TextLine): readonly CsvRecord[] => {
    if (open.length === 0 && (each.problem !== undefined || hasEvenQuotes(each.text))) {
      const record = withoutReturn(each);
      return record.text === '' ? [] : [record];
    }
    open.push(each);
    length += each.text.length;
    if (length > maxRowBytes) return giveUp();
    if (open.length === 1 || hasEvenQuotes(each.text)) return [];
    const record = withoutReturn(joined(open));
    if (record.problem !== undefined || cellsOf(record.text) === undefined) return giveUp();
    open = [];
    length = 0;
    return [record];
  };
  const giveUp = (): readonly CsvRecord[] => {
    const [first, ...others] = open;
    open = [];
    length = 0;
    if (first === undefined) return [];
    return [{ ...first, problem: 'has a quote that is not closed' }, ...others.flatMap(add)];
  };
  for await (const line of lines) yield* add(line);
  while (open.length > 0) yield* giveUp();
}

const withoutReturn = (record: CsvRecord): CsvRecord => ({ ...record, text: record.text.replace(/\r$/, '') });

const hasEvenQuotes = (text: string): boolean => !text.includes('"') || text.split('"').length % 2 === 1;

const joined = (lines: readonly TextLine[]): CsvRecord => {
  const problem = lines.find((each) => each.problem !== undefined)?.problem;
  return {
    line: lines[0]?.line ?? 0,
    text: lines.map(({ text }) => text).join('\n'),
    ...(problem !== undefined && { problem }),
  };
};

interface ParsedRecord extends CsvRecord {
  readonly cells: readonly string[];
}

const parseRecords = (records: readonly CsvRecord[]): readonly ParsedRecord[] => {
  const good = records.filter(({ problem }) => problem === undefined);
  const parsed = parseText(good.map(({ text }) => text).join('\n'));
  const together = parsed?.length === good.length ? parsed.values() : undefined;
  return records.map((record) => {
    if (record.problem !== undefined) return { ...record, cells: [] };
    const cells = together === undefined ? cellsOf(record.text) : together.next().value;
    return cells === undefined
      ? { ...record, cells: [], problem: 'has a quote in the wrong place' }
      : { ...record, cells };
  });
};

const cellsOf = (text: string): readonly string[] | undefined => parseText(text)?.[0];

/** @returns undefined when the quotes are wrong */
const parseText = (text: string): readonly (readonly string[])[] | undefined => {
  try {
    return parse(text, { relax_column_count: true, record_delimiter: '\n' });
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
};

const columnsOf = (line: number, cells: readonly string[]): readonly string[] => {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const unknown = names.findIndex((name, index) => !columns.includes(name) || names.indexOf(name) !== index);
  if (unknown === -1 && names.includes('name')) return names;
  const problem = cells.some((cell) => cell.includes('\r'))
    ? 'the lines end with CR alone: save the file with LF or CRLF'
    : unknown === -1
      ? 'none of them is name'
      : `column ${String(unknown + 1)} is none of these or is there twice`;
  throw new FileError(
    `Line ${String(line)}: the first row must name the columns, separated by commas: name, and if you like id and tag (${problem}).`,
  );
};

const rowOf = (line: number, header: readonly string[], cells: readonly string[]): Row =>
  cells.length === header.length
    ? {
        line,
        values: Object.fromEntries(
          header.flatMap((column, index) => (cells[index] === '' ? [] : [[column, cells[index]]])),
        ),
      }
    : {
        line,
        values: cells,
        problem: `has ${count(cells.length, 'column')}; the first row has ${String(header.length)}`,
      };
