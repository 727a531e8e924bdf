import { format } from 'node:util';
import * as v from 'valibot';
import { errorLines } from './error-lines.ts';
import { currentRequestId } from './invoke.ts';

const { log: printLine } = console;

/** Prints an error as text. It may include the message, because only the developer reads this terminal. */
export const printError = (error: unknown): void => {
  printLine(errorLines(error));
};

/** The log entry of an unexpected error. Its frames are left out, because `printError` prints them. */
const requestFailed = v.looseObject({ event: v.literal('request-failed') });

/**
 * Makes the console write JSON, as on Lambda (AWS: "Log and monitor Node.js Lambda functions"). An error that
 * is the only argument is printed as text by `printError`.
 */
export const writeJsonLog = (): void => {
  for (const method of ['trace', 'debug', 'log', 'info', 'warn', 'error'] as const)
    console[method] = (value: unknown, ...values: readonly unknown[]) => {
      if (value instanceof Error && values.length === 0) {
        printError(value);
        return;
      }
      const timestamp = new Date().toISOString();
      const level = method === 'log' ? 'INFO' : method.toUpperCase();
      const entry = v.is(requestFailed, value) ? { ...value, stack: undefined } : value;
      const message = values.length > 0 ? format(entry, ...values) : entry;
      printLine(JSON.stringify({ timestamp, level, requestId: currentRequestId(), message }));
    };
};
