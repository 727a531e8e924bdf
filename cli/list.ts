import type { Principal } from '../table/principal.ts';
import { columns } from '../terminal/style.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import type { Grant } from './table/plant-table.ts';
import { principalText } from './principal.ts';
import { writeOutput } from './write-output.ts';

export interface ListOptions extends TableOptions {
  /** Undefined: everyone. */
  readonly from?: Principal;
}

type Cells = readonly string[];

/** Prints a principal's plants, or everyone's, for a person to read. */
export const listPlants = async ({ from, ...options }: ListOptions): Promise<void> => {
  const table = await findTable(options);
  const isEveryone = from === undefined;
  const cellsOf = (grant: Grant): Cells =>
    isEveryone ? [principalText(grant.principal), ...cells(grant)] : cells(grant);
  const pages = async function* (): AsyncGenerator<string> {
    let header: readonly Cells[] = [[...(isEveryone ? ['WHO'] : []), 'ID', 'TAG', 'NAME']];
    for await (const page of isEveryone ? table.allPlants() : table.plantsOf(from)) {
      const rows = [...header, ...page.map(cellsOf)];
      if (rows.length > 0) yield `${columns(rows.map((row) => row.map(withoutControlCharacters)))}\n`;
      header = [];
    }
  };
  await writeOutput(pages());
};

/** The sort key of a damaged item is printed as JSON, as `aws dynamodb delete-item` takes it. */
const cells = ({ plant, sortKey }: Grant): Cells =>
  plant === undefined
    ? ['', '', `(damaged item) ${JSON.stringify(sortKey)}`]
    : [plant.id, plant.tag ?? '', plant.name];

/** Control characters would move the terminal's cursor. */
const withoutControlCharacters = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\u{fffd}');
