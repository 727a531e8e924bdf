import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { IdentifiedPlant } from '../table/plant.ts';
import { formats } from './formats.ts';
import { BadRow, parsePlant } from './plant-row.ts';
import { UserError } from './terminal/user-error.ts';

/** The plants of a file by id, and its numbers of bad rows and of damaged items that `list` printed. */
type Rows = Readonly<{ plants: ReadonlyMap<string, IdentifiedPlant>; badRows: number; damaged: number }>;

const shownProblems = 20;

/** Whether a row is a damaged item as `list` prints it, which has this field alone. */
const isDamaged = (row: unknown): boolean =>
  typeof row === 'object' && row !== null && Object.keys(row).join() === 'damaged';

/**
 * Reads and checks all rows of a file, or of standard input for the path `-`, and reports the first bad ones.
 * @param owner whose plants are loaded, as `list` prints it
 * @throws {UserError} when the file cannot be read or split into rows
 */
export const readRows = async (
  path: string,
  format = extname(path).slice(1).toLowerCase(),
  owner: string,
  say: (message: string) => void,
): Promise<Rows> => {
  const file = path === '-' ? 'Standard input' : path;
  const rowsOf = formats.get(format);
  if (rowsOf === undefined) throw new UserError(`Pass --format csv, json or ndjson for ${file}.`);
  const plants = new Map<string, IdentifiedPlant>();
  const places = new Map<string, string>();
  let [badRows, damaged] = [0, 0];
  for (const { place, values, problem } of rowsOf(await readText(path, file), file))
    try {
      if (problem !== undefined) throw new BadRow(problem);
      if (isDamaged(values)) {
        damaged += 1;
        continue;
      }
      const plant = parsePlant(values, owner);
      const earlier = places.get(plant.id);
      if (earlier !== undefined) throw new BadRow(`has the id of ${earlier}`);
      places.set(plant.id, place);
      plants.set(plant.id, plant);
    } catch (error) {
      if (!(error instanceof BadRow)) throw error;
      badRows += 1;
      if (badRows <= shownProblems) say(`${file}, ${place} ${error.message}.`);
    }
  return { plants, badRows, damaged };
};

/** Reads a file as UTF-8, without its byte order mark. */
const readText = async (path: string, file: string): Promise<string> => {
  try {
    const bytes = await (path === '-' ? buffer(process.stdin) : readFile(path));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (/\S/.test(text)) return text;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(
      `${file} cannot be read (${reason}). Name an uncompressed file in UTF-8 of up to 500 MB.`,
    );
  }
  throw new UserError(`${file} is empty. Name a file with rows.`);
};
