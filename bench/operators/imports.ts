import { join } from 'node:path';
import { writeRows } from '../import-file.ts';
import { measureProcess } from '../measured-process.ts';
import { median } from '../statistics.ts';
import { plantsIn } from './commands.ts';
import { generatedItems } from './rows.ts';
import { load, newTable } from './store.ts';

interface Imports {
  /** Medians. */
  readonly rowsPerSecond: number;
  readonly writeUnitsPerMillionRows: number;
}

type Shape = 'withIndex' | 'withoutIndex';

const rounds = 3;

/** Imports into tables with and without the index, in turns. */
export const measureImports = async (
  endpoint: string,
  folder: string,
  rows: number,
): Promise<Readonly<Record<Shape, Imports>>> => {
  const file = join(folder, 'import.csv');
  await writeRows(file, rows);
  const speeds: Record<Shape, number[]> = { withIndex: [], withoutIndex: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const shape of ['withIndex', 'withoutIndex'] as const) {
      const table = `${shape}-${String(round)}`;
      await newTable(endpoint, table, shape === 'withIndex');
      const { code, seconds } = await measureProcess(
        plantsIn(endpoint, table, 'import', [file, '--to', 'user:bench']),
      );
      if (code !== 0) throw new Error('The import failed.');
      speeds[shape].push(rows / seconds);
    }
  const unitsIn = async (table: string): Promise<number> => {
    const { units, items } = await load(endpoint, table, generatedItems(1000));
    return (units / items) * 1e6;
  };
  const result = async (shape: Shape): Promise<Imports> => ({
    rowsPerSecond: Math.round(median(speeds[shape])),
    writeUnitsPerMillionRows: await unitsIn(`${shape}-0`),
  });
  return { withIndex: await result('withIndex'), withoutIndex: await result('withoutIndex') };
};
