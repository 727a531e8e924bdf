import type { Principal } from '../table/principal.ts';
import { startProgress } from '../terminal/progress.ts';
import { columns, withoutControlCharacters } from '../terminal/style.ts';
import { findTable, type TableOptions } from './table/find-table.ts';
import type { Grant } from './table/grant.ts';
import { waitUntilAborted } from './table/patience.ts';
import { readPace } from './table/read-pace.ts';
import { principalText } from './principal.ts';
import { writeOutput } from './write-output.ts';

export interface ListOptions extends TableOptions {
  /** Undefined: everyone. */
  readonly from?: Principal;
  /** Read units per second when the whole table is read. */
  readonly readUnits: number;
}

type Cells = readonly string[];

/** Prints a principal's plants, or everyone's, for a person to read. */
export const listPlants = async ({ from, readUnits, ...options }: ListOptions): Promise<void> => {
  const { signal } = new AbortController();
  const table = await findTable(options, signal);
  const pace = readPace(readUnits, waitUntilAborted(signal));
  const isEveryone = from === undefined;
  const cellsOf = (grant: Grant): Cells =>
    isEveryone ? [principalText(grant.principal), ...cells(grant)] : cells(grant);
  // A terminal shows the rows themselves.
  const progress = isEveryone && !process.stdout.isTTY ? startProgress(undefined, process.stderr) : undefined;
  let read = 0;
  const pages = async function* (): AsyncGenerator<string> {
    let header: readonly Cells[] = [[...(isEveryone ? ['WHO'] : []), 'ID', 'TAG', 'NAME']];
    for await (const page of isEveryone ? table.allPlants(pace) : table.plantsOf({ principal: from })) {
      const rows = [...header, ...page.map(cellsOf)];
      if (rows.length > 0) yield `${columns(rows.map((row) => row.map(withoutControlCharacters)))}\n`;
      header = [];
      read += page.length;
      progress?.update(read, 0);
    }
  };
  try {
    await writeOutput(pages());
  } finally {
    progress?.stop();
  }
};

/** The sort key of a damaged item is printed as JSON, as DynamoDB’s API takes it. */
const cells = ({ plant, sortKey }: Grant): Cells =>
  plant === undefined
    ? ['', '', `(damaged item) ${JSON.stringify(sortKey)}`]
    : [plant.id, plant.tag ?? '', plant.name];
