import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../terminal/user-error.ts';

/** Writes texts to standard output, as fast as they are read. */
export const writeOutput = async (texts: AsyncIterable<string>): Promise<void> => {
  try {
    await pipeline(Readable.from(texts), process.stdout, { end: false });
  } catch (error) {
    // Whoever reads has enough: `| head`.
    if (codeOf(error) !== 'EPIPE') throw error;
  }
};
