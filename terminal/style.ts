import { styleText } from 'node:util';
import stringWidth from 'string-width';

/** Colours are for people: only on a terminal, and not for those who set NO_COLOR (no-color.org). */
const coloured = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '';

/** A text in a style, where the terminal shows one. */
export const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
  coloured ? styleText(style, text, { validateStream: false }) : text;

/** Rows of cells, each column as wide as its widest cell; nothing follows a row's last text. */
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

/** A text of somebody else's without what a terminal would act on. */
export const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');
