import { once } from 'node:events';
import { createWriteStream, fstatSync, openSync, statSync, type WriteStream } from 'node:fs';
import { codeOf } from '../../terminal/user-error.ts';
import { UserError } from '../../terminal/user-error.ts';
import { count } from '../../terminal/count.ts';
import { placeOf, type Row } from './row.ts';

/** The rows that are not loaded, with the reasons. */
export interface RefusedRows {
  readonly add: (row: Row, reason: string) => Promise<void>;
  readonly count: () => number;
  /** One sentence for each of the first rows. It quotes nothing from the file. */
  readonly summary: () => readonly string[];
  readonly close: () => Promise<void>;
}

const shown = 20;

/**
 * @param file where each refused row is written as a line of JSON
 * @param input the file that is imported; `-` is standard input
 * @throws {UserError} if the file cannot be written
 */
export const refusedRows = (file: string | undefined, input: string): RefusedRows => {
  const stream = file === undefined ? undefined : openForWriting(file, input);
  const first: string[] = [];
  let total = 0;
  let failure: Error | undefined;
  stream?.on('error', (error) => {
    failure = error;
  });
  return {
    add: async (row, reason) => {
      total += 1;
      if (first.length < shown) first.push(`Line ${placeOf(row)} ${reason}.`);
      if (failure !== undefined) throw failure;
      if (stream?.write(`${refusedLine(row, reason)}\n`) === false) await once(stream, 'drain');
    },
    count: () => total,
    summary: () =>
      total > first.length
        ? [
            ...first,
            `… and ${count(total - first.length, 'more row')}; --refused FILE writes them all to a file.`,
          ]
        : first,
    close: async () => {
      if (stream === undefined) return;
      stream.end();
      if (!stream.closed) await once(stream, 'close');
      if (failure !== undefined) throw failure;
    },
  };
};

const refusedLine = ({ line, element, values }: Row, reason: string): string => {
  try {
    return JSON.stringify({ line, element, reason, row: values });
  } catch (error) {
    // JSON.parse reads any depth, but JSON.stringify recurses.
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify({
      line,
      element,
      reason,
      row: null,
      note: 'The row is nested too deeply to be written.',
    });
  }
};

const openForWriting = (file: string, input: string): WriteStream => {
  if (isSameFile(file, input))
    throw new UserError(`${file} is the file to import. Pass another file to --refused.`);
  try {
    return createWriteStream(file, { fd: openSync(file, 'w') });
  } catch (error) {
    throw new UserError(
      `${file} cannot be written (${codeOf(error) ?? 'unknown error'}). Pass another file to --refused.`,
    );
  }
};

const isSameFile = (one: string, other: string): boolean => {
  const a = statSync(one, { throwIfNoEntry: false });
  const b = other === '-' ? fstatSync(0) : statSync(other, { throwIfNoEntry: false });
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
};
