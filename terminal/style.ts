import { styleText } from 'node:util';
import stringWidth from 'string-width';

/** Colours appear only on a terminal, and never with NO_COLOR (no-color.org). */
const coloured = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '';

/** Styles a text if standard output shows colours. */
export const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
  coloured ? styleText(style, text, { validateStream: false }) : text;

/** Aligns rows of cells in columns, without trailing spaces. */
export const columns = (rows: readonly (readonly string[])[]): string => {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, stringWidth(cell));
  }
  return rows
    .map((row) => {
      const last = row.findLastIndex((cell) => cell !== '');
      return row
        .slice(0, last + 1)
        .map((cell, column) =>
          column === last ? cell : cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell)),
        )
        .join('  ');
    })
    .join('\n');
};

/** Replaces everything but printable ASCII in an untrusted text, which could control the terminal. */
export const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');

/** Replaces control characters, which would move the terminal's cursor. */
export const withoutControlCharacters = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\u{fffd}');
