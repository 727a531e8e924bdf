import { fstatSync, fsyncSync, readSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { isatty } from 'node:tty';
import { escaped } from './style.ts';
import { codeOf, UserError } from './user-error.ts';

const stdout = 1;

/**
 * Writes a text to standard output, escaped for a terminal. Blocks, and flushes a file to disk (fsync).
 * Does not use `process.stdout`, which ignores a partial write to a file.
 * @throws {UserError} unless everything is written
 */
export const print = (text: string): void => {
  try {
    if (isClosed()) throw outputError('EBADF');
    let rest: Uint8Array = Buffer.from(isatty(stdout) ? escaped(text) : text);
    while (rest.length > 0) rest = rest.subarray(writeSome(rest));
    // A network file system may report a failed write only here.
    if (fstatSync(stdout).isFile()) fsyncSync(stdout);
  } catch (error) {
    throw error instanceof UserError ? error : outputError(codeOf(error) ?? String(error), error);
  }
};

/** Writes at least the first byte. @returns the number of bytes written */
const writeSome = (bytes: Uint8Array): number => {
  for (;;) {
    try {
      return writeSync(stdout, bytes);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      // A non-blocking pipe is full, because its reader is slow.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
};

const pauseMs = 1;

/** Node.js replaces a closed standard output with a readable null device; shells open it for writing only. */
const isClosed = (): boolean => {
  if (fstatSync(stdout).rdev !== statSync(devNull).rdev) return false;
  try {
    return readSync(stdout, new Uint8Array(1)) === 0;
  } catch {
    return false;
  }
};

const outputError = (code: string, cause?: unknown): UserError =>
  new UserError(
    `Standard output ${problems.get(code) ?? `cannot be written (${code})`}: ` +
      'the output is incomplete. Write it elsewhere.',
    { cause },
  );

const problems: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'is on a full disk'],
  ['EDQUOT', 'is over the quota of its disk'],
  ['EFBIG', 'is over the size limit of a file'],
  ['EPIPE', 'was closed by its reader'],
  ['EBADF', 'is closed or read-only'],
]);

/** Writes a message to standard error. A failure to write it is ignored. */
export const say = (message: string): void => {
  process.stderr.write(`${process.stderr.isTTY ? escaped(message) : message}\n`);
};
process.stderr.on('error', () => undefined);
