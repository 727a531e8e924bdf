/** A cell of CSV, without the quotes around it. */
export interface Cell {
  readonly text: string;
  readonly isQuoted: boolean;
  /** Whether a quote is inside an unquoted cell, is not closed, or has text behind it. */
  readonly hasMisplacedQuote: boolean;
}

/** A row of CSV. It has several lines if line ends are in quotes. */
export interface CsvRow {
  readonly cells: readonly Cell[];
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Splits CSV (RFC 4180) into rows. Lines end with CRLF or LF, or with CR alone if the first line does. */
export function* splitCsv(text: string): Generator<CsvRow> {
  const newline = lineEndOf(text);
  let start = 0;
  let firstLine = 1;
  while (start < text.length) {
    const { cells, end } = readRow(text, start, newline);
    // A quote that is not closed takes the row to the end of the file. `trimEnd` keeps the file's last line
    // end from counting as a further line.
    const lines = text.slice(start, end).trimEnd().split(newline);
    const lastLine = firstLine + lines.length - 1;
    yield { cells, firstLine, lastLine };
    start = end + 1;
    firstLine = lastLine + 1;
  }
}

/** The character that ends each line: LF, which also ends CRLF, or CR. */
const lineEndOf = (text: string): '\n' | '\r' => {
  const [firstLineEnds = '\n'] = /[\r\n]+/.exec(text) ?? [];
  return firstLineEnds.includes('\n') ? '\n' : '\r';
};

/** Reads the cells of the row at `start`. The line end behind the row is at `end`. */
const readRow = (
  text: string,
  start: number,
  newline: string,
): { readonly cells: readonly Cell[]; readonly end: number } => {
  const { end: firstEnd, ...first } = readCell(text, start, newline);
  const cells = [first];
  let separator = firstEnd;
  while (text[separator] === ',') {
    const { end, ...cell } = readCell(text, separator + 1, newline);
    cells.push(cell);
    separator = end;
  }
  return { cells, end: separator };
};

/** Reads the cell at `start`. The comma or line end behind the cell is at `end`. */
const readCell = (text: string, start: number, newline: string): Cell & { readonly end: number } => {
  if (text[start] !== '"') {
    const end = endOfCell(text, start, newline);
    const cell = text.slice(start, end);
    return { text: cell, isQuoted: false, hasMisplacedQuote: cell.includes('"'), end };
  }
  const closing = closingQuote(text, start + 1);
  const end = closing === -1 ? text.length : endOfCell(text, closing + 1, newline);
  const cell = text.slice(start + 1, closing === -1 ? end : closing).replaceAll('""', '"');
  // White space may follow, but not a byte order mark, which `\s` also matches.
  const hasMisplacedQuote = closing === -1 || /\S|\ufeff/.test(text.slice(closing + 1, end));
  return { text: cell, isQuoted: true, hasMisplacedQuote, end };
};

/** The index of the quote that ends a quoted cell, in which two quotes stand for one; -1 if none ends it. */
const closingQuote = (text: string, start: number): number => {
  let quote = text.indexOf('"', start);
  while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  return quote;
};

/** The index of the next comma or line end; the text's length if none follows. */
const endOfCell = (text: string, start: number, newline: string): number => {
  const separator = newline === '\n' ? /[,\n]/g : /[,\r]/g;
  separator.lastIndex = start;
  return separator.exec(text)?.index ?? text.length;
};
