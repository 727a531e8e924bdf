import { createReadStream, fstatSync, openSync } from 'node:fs';
import { addAbortSignal, type Readable } from 'node:stream';
import { codeOf } from '../../terminal/user-error.ts';
import { UserError } from '../../terminal/user-error.ts';
import { FileError } from './file-error.ts';

/** The bytes of a file or of standard input. */
export interface Input {
  /** Without a byte order mark. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Undefined if unknown. */
  readonly totalBytes: number | undefined;
  readonly bytesRead: () => number;
}

/**
 * Opens a file, or standard input for `-`.
 * @throws {UserError} when it cannot be read
 */
export const openInput = (path: string, signal: AbortSignal): Input => {
  if (path === '-') return inputFrom(addAbortSignal(signal, process.stdin), undefined);
  const fd = openFile(path);
  const status = fstatSync(fd);
  if (status.isDirectory()) throw new UserError(`${path} is a directory. Name a file in it.`);
  if (status.isFile() && status.size === 0) throw new FileError(emptyFile);
  return inputFrom(
    createReadStream(path, { fd, signal, highWaterMark: chunkBytes }),
    status.isFile() ? status.size : undefined,
  );
};

const openFile = (path: string): number => {
  try {
    return openSync(path, 'r');
  } catch (error) {
    switch (codeOf(error)) {
      case 'ENOENT':
        throw new UserError(`There is no file ${path}.`);
      case 'EACCES':
        throw new UserError(`${path} cannot be read: permission denied.`);
      default:
        throw new UserError(`${path} cannot be read (${codeOf(error) ?? 'unknown error'}).`);
    }
  }
};

const inputFrom = (stream: Readable, totalBytes: number | undefined): Input => {
  let bytesRead = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    let head = Buffer.alloc(0);
    let isText = false;
    for await (const chunk of stream.iterator()) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('The stream must give bytes.');
      bytesRead += chunk.length;
      if (isText) yield chunk;
      else {
        head = Buffer.concat([head, chunk]);
        if (head.length < longestMark) continue;
        yield withoutMark(head);
        isText = true;
      }
    }
    if (isText) return;
    if (head.length === 0) throw new FileError(emptyFile);
    yield withoutMark(head);
  }
  return { chunks: chunks(), totalBytes, bytesRead: () => bytesRead };
};

const emptyFile = 'The file is empty.';
/** Small, so that the progress of small files is accurate too. */
const chunkBytes = 16 * 1024;
const longestMark = 4;
const byteOrderMark = '\u{feff}';

/** The first bytes of files that are not text in UTF-8. */
const signatures: readonly (readonly [mark: string, problem: string])[] = [
  ['\u001f\u008b', 'is compressed. Pipe it: gunzip -c FILE | npm run plants -- import - --format FORMAT'],
  ['PK\u0003\u0004', 'is a spreadsheet or a zip archive. Save it as CSV in UTF-8'],
  ['\u00ff\u00fe', 'is in UTF-16. Save it in UTF-8'],
  ['\u00fe\u00ff', 'is in UTF-16. Save it in UTF-8'],
];

const withoutMark = (head: Buffer): Buffer => {
  const start = head.toString('latin1', 0, longestMark);
  const other = signatures.find(([mark]) => start.startsWith(mark));
  if (other !== undefined) throw new FileError(`The file ${other[1]}.`);
  const mark = Buffer.from(byteOrderMark);
  return head.subarray(0, mark.length).equals(mark) ? head.subarray(mark.length) : head;
};
