import { createWriteStream } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError } from 'commander';

/** The machine that a figure is from. */
export const machine = `${String(cpus().length)} × ${cpus()[0]?.model ?? ''}, ${String(Math.round(totalmem() / 1024 ** 3))} GB`;

/** The tag in the plain file. */
export const tagOf = (row: number): string => (row % 3 === 0 ? '' : 'cactus');

/**
 * Writes a CSV file of plants to import, with a row for each number from 0.
 * @param tag the tag of a row; undefined: no such row
 */
export const writeRows = async (
  file: string,
  rows: number,
  tag: (row: number) => string | undefined = tagOf,
): Promise<void> => {
  const lines = function* (): Generator<string> {
    yield 'id,name,tag\n';
    for (let row = 0; row < rows; row += 1) {
      const text = tag(row);
      if (text !== undefined)
        yield `p${String(row)},"Plant ${String(row % 5000)}, shelf ${String(row)} 🌵",${text}\n`;
    }
  };
  await pipeline(Readable.from(lines()), createWriteStream(file));
};

/** The value of --rows. */
export const parseRows = (text: string): number => {
  if (!/^[1-9]\d{0,7}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 to 99999999.');
  return Number(text);
};
