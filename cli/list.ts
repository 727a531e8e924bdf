import { columns } from '../terminal/style.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import type { Grant } from './table/plant-table.ts';
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
      const rows = [...header, ...page.map(cellsOf)];
      if (rows.length > 0) yield `${columns(rows.map((row) => row.map(printable)))}\n`;
      header = [];
    }
  };
  await writeOutput(pages());
};

const cells = ({ plant }: Grant): Cells =>
  plant === undefined ? ['', '', '(damaged item)'] : [plant.id, plant.tag ?? '', plant.name];

/** Control characters would move the terminal's cursor. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\u{fffd}');
