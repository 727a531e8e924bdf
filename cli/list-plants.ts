import stringWidth from 'string-width';
import { findTable } from './find-table.ts';
import type { ExportOptions } from './export-plants.ts';

const header = ['ID', 'TAG', 'NAME'] as const;
type Cells = readonly [id: string, tag: string, name: string];

/** Prints a principal's plants for a person to read. */
export const listPlants = async ({ from, ...options }: ExportOptions): Promise<void> => {
  const table = await findTable(options);
  let isFirst = true;
  for await (const page of table.plantsOf(from)) {
    const rows = page.map(({ plant }): Cells =>
      plant === undefined ? ['', '', '(damaged item)'] : [plant.id, plant.tag ?? '', plant.name],
    );
    process.stdout.write(aligned(isFirst ? [header, ...rows] : rows));
    isFirst = false;
  }
};

const aligned = (rows: readonly Cells[]): string => {
  const printed = rows.map(([id, tag, name]): Cells => [printable(id), printable(tag), printable(name)]);
  const idWidth = Math.max(...printed.map(([id]) => stringWidth(id)));
  const tagWidth = Math.max(...printed.map(([, tag]) => stringWidth(tag)));
  return printed
    .map(([id, tag, name]) => `${padded(id, idWidth)}  ${padded(tag, tagWidth)}  ${name}\n`)
    .join('');
};

const padded = (text: string, width: number): string => text + ' '.repeat(width - stringWidth(text));

/** Control characters would move the terminal's cursor. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\u{fffd}');
