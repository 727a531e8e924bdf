import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { IdentifiedPlant } from '../table/plant.ts';
import { formats } from './csv-rows.ts';
import { rowParser } from './plant-row.ts';
import { codeOf, UserError } from '../terminal/user-error.ts';

/** The plants of a file by id, and what is wrong with its bad rows, each with its place. */
type Rows = Readonly<{ plants: ReadonlyMap<string, IdentifiedPlant>; problems: readonly string[] }>;

/**
 * Reads and checks all rows of a file, or of standard input for the path `-`.
 * @param owner whose plants are loaded, as `list` prints it
 * @throws {UserError} if it cannot be split into rows; a system error if it cannot be read
 */
export const readRows = async (
  path: string,
  format = extname(path).slice(1).toLowerCase(),
  owner: string,
): Promise<Rows> => {
  const rowsOf = formats.get(format);
  if (rowsOf === undefined)
    throw new UserError(`The format of ${path} is unknown. Pass --format csv, json or ndjson.`);
  const parseRow = rowParser(owner);
  const plants = new Map<string, IdentifiedPlant>();
  const problems: string[] = [];
  for (const { place, ...content } of rowsOf(await readText(path))) {
    const { plant, problem } = content.problem === undefined ? parseRow(content.values) : content;
    if (plant === undefined) problems.push(`${place}: ${problem}`);
    else if (plants.has(plant.id))
      problems.push(`${place}: the id of an earlier row, or its name without an id`);
    else plants.set(plant.id, plant);
  }
  return { plants, problems };
};

/** Reads a file as UTF-8, without its byte order mark. */
const readText = async (path: string): Promise<string> => {
  try {
    const bytes = await (path === '-' ? buffer(process.stdin) : readFile(path));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    // The message of another system error, such as ENOENT, is clear.
    if (error instanceof Error && 'syscall' in error && codeOf(error) !== 'EISDIR') throw error;
    throw new UserError(`${path} must be a UTF-8 file of up to 500 MB. Use gunzip -c if it is compressed.`);
  }
};
