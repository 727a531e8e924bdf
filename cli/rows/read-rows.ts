import { extname } from 'node:path';
import { UserError } from '../../terminal/user-error.ts';
import { type Format, formatNamed } from './format.ts';
import { readCsv } from './read-csv.ts';
import { readJsonArray } from './read-json-array.ts';
import { readNdjson } from './read-ndjson.ts';
import type { Row } from './row.ts';

const readers: Readonly<Record<Format, (chunks: AsyncIterable<Buffer>) => AsyncIterable<Row>>> = {
  csv: readCsv,
  json: readJsonArray,
  jsonl: readNdjson,
  ndjson: readNdjson,
};

/** Endings of archives, which must be unpacked first. */
const packed = ['.gz', '.tgz', '.xlsx', '.zip', '.zst'];

/**
 * The reader for a file's rows: by format, or else by the file's extension.
 * @throws {UserError} when neither tells
 */
export const rowReader = (
  path: string,
  format: Format | undefined,
): ((chunks: AsyncIterable<Buffer>) => AsyncIterable<Row>) => {
  const ending = extname(path).toLowerCase();
  const known = format ?? formatNamed(ending.slice(1));
  if (known !== undefined) return readers[known];
  if (packed.includes(ending))
    throw new UserError(
      `${path} is compressed. Unpack it, or pipe it: gunzip -c FILE | npm run plants -- import - --format FORMAT`,
    );
  throw new UserError(
    `What ${path === '-' ? 'standard input' : path} holds cannot be told from its name. Pass --format csv, json or ndjson.`,
  );
};
