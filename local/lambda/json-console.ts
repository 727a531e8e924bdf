import { format } from 'node:util';
import * as v from 'valibot';
import { errorLines } from './error-lines.ts';
import { currentRequestId } from './invoke.ts';

const { log: printLine } = console;

/** Prints an error in lines, with its message: on this machine there is nobody to hide it from. */
export const printError = (error: unknown): void => {
  printLine(errorLines(error));
};

/** The log entry of an error whose message and frames are printed in lines. */
const requestFailed = v.looseObject({ event: v.literal('request-failed') });

/**
 * Makes the console write JSON, as on Lambda (AWS: "Log and monitor Node.js Lambda functions"), but an error
 * in lines.
 */
export const writeJsonLog = (): void => {
  for (const method of ['trace', 'debug', 'log', 'info', 'warn', 'error'] as const)
    console[method] = (first: unknown, ...others: readonly unknown[]) => {
      if (first instanceof Error && others.length === 0) {
        printError(first);
        return;
      }
      const timestamp = new Date().toISOString();
      const level = method === 'log' ? 'INFO' : method.toUpperCase();
      const entry = v.is(requestFailed, first) ? { ...first, stack: undefined } : first;
      const message = others.length > 0 ? format(entry, ...others) : entry;
      printLine(JSON.stringify({ timestamp, level, requestId: currentRequestId(), message }));
    };
};
