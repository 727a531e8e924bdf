import stringWidth from 'string-width';
import { findTable, type TableOptions } from './find-table.ts';
import type { Grant } from './plant-table.ts';
import { principalText } from './principal.ts';
import { writeOutput } from './write-output.ts';

export interface ListOptions extends TableOptions {
  /** A partition of the table; without it, all of them. */
  readonly from?: string;
}

type Cells = readonly string[];

/** Prints a principal's plants, or everybody's, for a person to read. */
export const listPlants = async ({ from, ...options }: ListOptions): Promise<void> => {
  const table = await findTable(options);
  const isOfAll = from === undefined;
  const cellsOf = (grant: Grant): Cells =>
    isOfAll ? [principalText(grant.principal), ...cells(grant)] : cells(grant);
  const pages = async function* (): AsyncGenerator<string> {
    let header: readonly Cells[] = [[...(isOfAll ? ['WHO'] : []), 'ID', 'TAG', 'NAME']];
    for await (const page of isOfAll ? table.allPlants() : table.plantsOf(from)) {
      yield aligned([...header, ...page.map(cellsOf)]);
      header = [];
    }
  };
  await writeOutput(pages());
};

const cells = ({ plant }: Grant): Cells =>
  plant === undefined ? ['', '', '(damaged item)'] : [plant.id, plant.tag ?? '', plant.name];

/** Columns as wide as their widest cell, but for the last. */
const aligned = (rows: readonly Cells[]): string => {
  const printed = rows.map((row) => row.map(printable));
  const widths = printed[0]
    ?.slice(0, -1)
    .map((_, column) => Math.max(...printed.map((row) => stringWidth(row[column] ?? ''))));
  return printed
    .map((row) => `${row.map((cell, column) => padded(cell, widths?.[column] ?? 0)).join('  ')}\n`)
    .join('');
};

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

/** Control characters would move the terminal's cursor. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\u{fffd}');
