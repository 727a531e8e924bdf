import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { IdentifiedPlant } from '../table/plant.ts';
import { formats } from './formats.ts';
import { plantRow } from './plant-row.ts';
import { UserError } from './terminal/user-error.ts';

/** The plants of a file by id, and how many of its rows are bad. */
type Rows = Readonly<{ plants: ReadonlyMap<string, IdentifiedPlant>; badRows: number }>;

const shownProblems = 20;

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
  const schema = plantRow(owner);
  const plants = new Map<string, IdentifiedPlant>();
  let badRows = 0;
  const report = (place: string, problem: string): void => {
    badRows += 1;
    if (badRows <= shownProblems) say(`${file}, ${place}: ${problem}.`);
  };
  for (const { place, values, problem } of rowsOf(await readText(path, file), file)) {
    const { data: plant, error } = schema.safeParse(values);
    if (problem !== undefined) report(place, problem);
    else if (error !== undefined)
      report(place, error.issues.map(({ path, message }) => [...path, message].join(' ')).join('; '));
    else if (plants.has(plant.id)) report(place, 'the id of an earlier row, or its name without an id');
    else plants.set(plant.id, plant);
  }
  return { plants, badRows };
};

/** Reads a file as UTF-8, without its byte order mark. */
const readText = async (path: string, file: string): Promise<string> => {
  try {
    const bytes = await (path === '-' ? buffer(process.stdin) : readFile(path));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(
      `${file} cannot be read (${reason}). Name an uncompressed file in UTF-8 of up to 500 MB.`,
    );
  }
};
