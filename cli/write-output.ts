import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../terminal/user-error.ts';

/**
 * Writes texts to standard output no faster than they are read.
 * @returns false when the reader has closed it, as `head` does
 */
export const writeOutput = async (texts: AsyncIterable<string>): Promise<boolean> => {
  try {
    await pipeline(Readable.from(texts), process.stdout, { end: false });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error;
    return false;
  }
};
