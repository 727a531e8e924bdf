import { styleText } from 'node:util';

/** Colours are for people: only on a terminal, and not for those who set NO_COLOR (no-color.org). */
const coloured = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '';

/** A text in a style, where the terminal shows one. */
export const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
  coloured ? styleText(style, text, { validateStream: false }) : text;

/** Rows of cells, each column as wide as its widest cell. */
export const columns = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(Math.max(...rows.map((each) => each[index]?.length ?? 0))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');

/** A text of somebody else's without what a terminal would act on. */
export const printable = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?');
