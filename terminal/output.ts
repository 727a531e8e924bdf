import { fstatSync, fsyncSync, writeSync } from 'node:fs';
import { escaped, escapedLines } from './escaped.ts';
import { codeOf, UserError } from './user-error.ts';

const stdout = 1;

/**
 * Writes a text to standard output before it returns: escaped for a terminal, flushed to disk (fsync) for a
 * file. `process.stdout` is not used, because it ignores a partial write to a file.
 * @throws {UserError} unless everything is written
 */
export const print = (text: string): void => {
  let rest: Uint8Array = Buffer.from(escapedLines(text));
  try {
    while (rest.length > 0) rest = rest.subarray(writeSome(rest));
    // A network file system may report a failed write only when the file is flushed.
    if (fstatSync(stdout).isFile()) fsyncSync(stdout);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(
      `Standard output cannot be written (${reason}): the output is incomplete. Write it elsewhere.`,
      { cause },
    );
  }
};

/** @returns the number of bytes written: 0 when a non-blocking pipe is full because its reader is slow */
const writeSome = (bytes: Uint8Array): number => {
  try {
    return writeSync(stdout, bytes);
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') throw error;
    // Blocks for a millisecond, so that the reader can make room.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
};

/** Writes a message to standard error, escaped. A failure to write it is ignored. */
export const say = (message: string): void => {
  process.stderr.write(`${escaped(message)}\n`);
};
process.stderr.on('error', () => undefined);

/** How the parser of arguments (commander) writes: help texts as lines, and a message as one line. */
export const parserOutput = {
  writeOut: print,
  writeErr: (text: string): void => {
    process.stderr.write(escapedLines(text));
  },
  outputError: (message: string): void => {
    say(message.trimEnd());
  },
};
