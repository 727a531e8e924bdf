import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { codeOf, UserError } from '../terminal/user-error.ts';
import { csvRows } from './csv-rows.ts';
import type { FileRow, SplitFile } from './file-row.ts';
import { jsonRows, ndjsonRows } from './json-rows.ts';
import { type ImportedPlant, type ParsedRow, type PlantFields, rowFieldsOf, rowParser } from './plant-row.ts';

const formats: ReadonlyMap<string, SplitFile> = new Map([
  ['csv', csvRows],
  ['json', jsonRows],
  ['ndjson', ndjsonRows],
]);

/** The plants of a file by id, and what is wrong with its bad rows, each with its place. */
type FileContent<Plant> = Readonly<{ plants: ReadonlyMap<string, Plant>; problems: readonly string[] }>;

/**
 * Reads and checks all rows of a file, or of standard input for the path `-`.
 * @param owner whose plants are loaded, as `list` prints it
 * @param fields the declared fields of a plant
 * @throws {UserError} if the text cannot be split into rows; a system error if the file cannot be read
 */
export const readImportFile = async <Declared extends PlantFields>(
  path: string,
  format: string | undefined,
  owner: string,
  fields: Declared,
): Promise<FileContent<ImportedPlant<Declared>>> => {
  const split = splitterOf(path, format);
  const parseRow = rowParser(fields, owner);
  const plants = new Map<string, ImportedPlant<Declared>>();
  const problems: string[] = [];
  for (const row of split(await readText(path), rowFieldsOf(fields))) {
    const { plant, problem } = parsed(row, parseRow);
    if (problem !== undefined) problems.push(`${row.place}: ${problem}`);
    else if (plants.has(plant.id))
      problems.push(`${row.place}: an earlier row has this id, or this name and no id`);
    else plants.set(plant.id, plant);
  }
  return { plants, problems };
};

const splitterOf = (path: string, format = extname(path).slice(1).toLowerCase()): SplitFile => {
  const split = formats.get(format);
  if (split !== undefined) return split;
  const problem = path === '-' ? 'Standard input has no extension' : `The extension of ${path} is unknown`;
  throw new UserError(`${problem}. Pass --format csv, json or ndjson.`);
};

const parsed = <Declared extends PlantFields>(
  { problem, values }: FileRow,
  parseRow: (values: unknown) => ParsedRow<Declared>,
): ParsedRow<Declared> => (problem === undefined ? parseRow(values) : { problem });

/** Reads a file as UTF-8, without its byte order mark. */
const readText = async (path: string): Promise<string> => {
  try {
    const bytes = await (path === '-' ? buffer(process.stdin) : readFile(path));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    // The messages of system errors, such as ENOENT, are clear, except for that of a folder.
    if (error instanceof Error && 'syscall' in error && codeOf(error) !== 'EISDIR') throw error;
    const subject = path === '-' ? 'Standard input must be UTF-8 text' : `${path} must be a UTF-8 file`;
    throw new UserError(`${subject} of up to 500 MB. Use gunzip -c if it is compressed.`);
  }
};
