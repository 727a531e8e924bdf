import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import type { IdentifiedPlant } from '../table/plant.ts';
import { codeOf, UserError } from './terminal/user-error.ts';
import { formats } from './formats.ts';
import { BadRow, parsePlant } from './plant-row.ts';

/** The plants of a file by id, and its numbers of bad rows and of damaged items that `list` printed. */
type Rows = Readonly<{ plants: ReadonlyMap<string, IdentifiedPlant>; badRows: number; damaged: number }>;

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
  if (!isFormat(format)) throw new UserError(`Pass --format csv, json or ndjson for ${file}.`);
  const plants = new Map<string, IdentifiedPlant>();
  const places = new Map<string, string>();
  let [badRows, damaged] = [0, 0];
  for (const row of formats[format](await readText(path, file), file)) {
    const { place } = row;
    try {
      if ('problem' in row) throw new BadRow(row.problem);
      if (isDamaged(row.values)) {
        damaged += 1;
        continue;
      }
      const plant = parsePlant(row.values, owner);
      const earlier = places.get(plant.id);
      if (earlier !== undefined) throw new BadRow(`has the id of ${earlier}`);
      places.set(plant.id, place);
      plants.set(plant.id, plant);
    } catch (error) {
      if (!(error instanceof BadRow)) throw error;
      badRows += 1;
      if (badRows <= shownProblems) say(`${file}, ${place} ${error.message}.`);
    }
  }
  return { plants, badRows, damaged };
};

const keyText = z.strictObject({ S: z.string().min(1) });
const damagedRow = z.strictObject({ damaged: z.strictObject({ principal: keyText, sortKey: keyText }) });
/** Whether a row is a damaged item exactly as `list` prints it. Any other row with this field is bad. */
const isDamaged = (row: unknown): boolean =>
  typeof row === 'object' && row !== null && 'damaged' in row && damagedRow.safeParse(row).success;

const isFormat = (format: string): format is keyof typeof formats => Object.hasOwn(formats, format);

/** Reads a file as UTF-8, without its byte order mark. */
const readText = async (path: string, file: string): Promise<string> => {
  try {
    const bytes = await (path === '-' ? buffer(process.stdin) : readFile(path));
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (/\S/.test(text)) return text;
  } catch (error) {
    const code = codeOf(error) ?? '';
    throw new UserError(`${file} ${reasons.get(code) ?? `cannot be read (${code}). Name another file`}.`);
  }
  throw new UserError(`${file} is empty. Name a file with rows.`);
};

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist. Check its name and folder'],
  ['EISDIR', 'is a folder. Name a file in it'],
  ['EACCES', 'cannot be read: permission denied. Ask for access'],
  ['ERR_ENCODING_INVALID_ENCODED_DATA', 'is not UTF-8. Save it as text in UTF-8, not compressed'],
  ['ERR_FS_FILE_TOO_LARGE', 'is too large. Split it'],
  ['ERR_STRING_TOO_LONG', 'is too large. Split it'],
]);
