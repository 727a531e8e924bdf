import { codePointOf } from '../table/field-kinds.ts';
import { count } from '../terminal/count.ts';
import { UserError } from '../terminal/user-error.ts';
import { columnNamed } from './column-name.ts';
import { type Cell, type CsvRow, splitCsv } from './csv-syntax.ts';
import { valueOfCell } from './field-value.ts';
import type { RowContent, RowFields, SplitFile } from './file-row.ts';

/** CSV: the first row that is not blank names the columns. Cells are trimmed, and blank rows are skipped. */
export const csvRows: SplitFile = function* (text, fields) {
  let columns: readonly string[] | undefined;
  for (const row of splitCsv(text)) {
    if (isBlank(row)) continue;
    if (columns === undefined) columns = columnsOf(row, fields);
    else yield { place: `line ${String(row.firstLine)}`, ...contentOf(row, columns, fields) };
  }
};

const hasMisplacedQuote = ({ cells }: CsvRow): boolean => cells.some((cell) => cell.hasMisplacedQuote);

const isBlank = (row: CsvRow): boolean =>
  !hasMisplacedQuote(row) && row.cells.every(({ text }) => text.trim() === '');

/** The columns that the first row names, each as a field of a plant. */
const columnsOf = (row: CsvRow, fields: RowFields): readonly string[] => {
  const names = [...fields.keys()];
  const problem = problemOfColumns(row, fields);
  if (problem === undefined) return row.cells.flatMap(({ text }) => columnNamed(names, text) ?? []);
  throw new UserError(
    `Line ${String(row.firstLine)}: ${problem}. Columns are ${names.join(', ')}, separated by commas.`,
  );
};

const problemOfColumns = (row: CsvRow, fields: RowFields): string | undefined => {
  if (hasMisplacedQuote(row)) return 'a quote in the wrong place';
  const names = row.cells.map(({ text }) => text.trim());
  const columns = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (name === '') return `column ${String(index + 1)} has no name`;
    const column = columnNamed([...fields.keys()], name);
    if (column === undefined) return `unknown column "${name.slice(0, 40)}"`;
    if (columns.has(column)) return `two columns "${name}"`;
    columns.add(column);
  }
  const missing = [...fields].find(([column, { required }]) => required === true && !columns.has(column));
  return missing === undefined ? undefined : `the column "${missing[0]}" is missing`;
};

const contentOf = (row: CsvRow, columns: readonly string[], fields: RowFields): RowContent => {
  const problem = problemOfRow(row, columns);
  if (problem !== undefined) return { problem };
  const entries = row.cells.map(({ text }, index) => [columns[index] ?? '', text.trim()] as const);
  // An empty cell counts as missing.
  const given = entries.filter(([, text]) => text !== '');
  const values = given.map(([column, text]) => {
    const field = fields.get(column);
    return [column, field === undefined ? text : valueOfCell(field, text)];
  });
  return { values: Object.fromEntries(values) };
};

const problemOfRow = (row: CsvRow, columns: readonly string[]): string | undefined => {
  const { cells } = row;
  if (hasMisplacedQuote(row))
    return `a quote in the wrong place, in a row that ends in line ${String(row.lastLine)}`;
  // Joining two files repeats the column names.
  if (
    cells.length === columns.length &&
    cells.every(({ text }, index) => columnNamed(columns, text) === columns[index])
  )
    return 'the column names again';
  for (const [index, cell] of cells.entries()) {
    const character = controlCharacter(cell);
    if (character !== undefined) return `${columns[index] ?? 'a cell'} has ${character}`;
  }
  if (cells.length !== columns.length)
    return `${count(cells.length, 'column')} instead of ${String(columns.length)}`;
  return undefined;
};

/**
 * The first control character or byte order mark in a cell, such as U+001A. A quoted cell may have line ends.
 */
const controlCharacter = ({ text, isQuoted }: Cell): string | undefined => {
  const withoutLineEnds = isQuoted ? text.replaceAll(/\r?\n/g, ' ') : text;
  // A byte order mark is looked for before trimming, because `trim` removes it.
  const [character] = /\ufeff/.exec(text) ?? /\p{Cc}/u.exec(withoutLineEnds.trim()) ?? [];
  return character === undefined ? undefined : codePointOf(character);
};
