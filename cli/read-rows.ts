import { extname } from 'node:path';
import { Failure } from '../local/failure.ts';
import { readCsv } from './read-csv.ts';
import { readJsonArray } from './read-json-array.ts';
import { readNdjson } from './read-ndjson.ts';
import type { Row } from './row.ts';

type Format = 'csv' | 'json' | 'jsonl' | 'ndjson';

const readers: Readonly<Record<Format, (chunks: AsyncIterable<Buffer>) => AsyncIterable<Row>>> = {
  csv: readCsv,
  json: readJsonArray,
  jsonl: readNdjson,
  ndjson: readNdjson,
};

const isFormat = (text: string): text is Format => text in readers;

/**
 * The reader for a file's rows: by format, or else by the file's extension.
 * @throws {Failure} when neither tells
 */
export const rowReader = (
  path: string,
  format: string | undefined,
): ((chunks: AsyncIterable<Buffer>) => AsyncIterable<Row>) => {
  const name = format ?? extname(path).slice(1).toLowerCase();
  if (isFormat(name)) return readers[name];
  throw new Failure(
    `What ${path === '-' ? 'standard input' : path} holds cannot be told from its name. Pass --format csv, json or ndjson.`,
  );
};
