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

/** Extensions of compressed files. */
const compressed = ['.gz', '.tgz', '.xlsx', '.zip', '.zst'];

/**
 * Returns the reader for a format, by default for the one of the file's extension.
 * @throws {UserError} if there is neither
 */
export const rowReader = (
  path: string,
  format: Format | undefined,
): ((chunks: AsyncIterable<Buffer>) => AsyncIterable<Row>) => {
  const extension = extname(path).toLowerCase();
  const known = format ?? formatNamed(extension.slice(1));
  if (known !== undefined) return readers[known];
  if (compressed.includes(extension))
    throw new UserError(
      `${path} is compressed. Unpack it, or pipe it: gunzip -c FILE | npm run plants -- import - --format FORMAT`,
    );
  throw new UserError(
    `The format of ${path === '-' ? 'standard input' : path} is unknown. Pass --format csv, json or ndjson.`,
  );
};
