import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../table/error-codes.ts';

/** Writes texts to standard output no faster than they are read. */
export const writeOutput = async (texts: AsyncIterable<string>): Promise<void> => {
  try {
    await pipeline(Readable.from(texts), process.stdout, { end: false });
  } catch (error) {
    // The reader has closed the pipe, as `head` does.
    if (codeOf(error) !== 'EPIPE') throw error;
  }
};
