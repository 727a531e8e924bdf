import { inspect } from 'node:util';
import { escaped, escapedLines } from './escaped.ts';

/** An error that the person at the terminal can fix. The message states the problem and how to fix it. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/**
 * Ends the process with exit code 1: prints one line for a `UserError` and for an error of the system, such
 * as a file without permission, and the whole error for a defect.
 */
export const exitWith = (error: unknown): never => {
  const isExpected = error instanceof UserError || (error instanceof Error && 'syscall' in error);
  console.error(isExpected ? escaped(error.message) : escapedLines(inspect(error)));
  process.exit(1);
};

/** The code of a system or network error, such as `ECONNREFUSED`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
