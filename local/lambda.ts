import { AsyncLocalStorage } from 'node:async_hooks';
import { url as debuggerUrl } from 'node:inspector';
import { setTimeout as delay } from 'node:timers/promises';
import { format } from 'node:util';
import * as v from 'valibot';
import { UserError } from '../cli/terminal/user-error.ts';

/**
 * Runs a function with an event.
 * @returns the handler's result after a round trip through JSON, as on Lambda
 * @throws {Error} when the handler threw, timed out or returned too much
 */
export type Invoke = (event: unknown) => Promise<unknown>;

/** AWS: "Lambda quotas", invocation payload of a synchronous response. */
const maxResponseBytes = 6 * 1024 * 1024;

/** A timeout in milliseconds: a day while debugging, because a debugger can pause a process for hours. */
export const timeoutMs = (seconds: number): number =>
  debuggerUrl() === undefined ? seconds * 1000 : 24 * 3_600_000;

const requestIds = new AsyncLocalStorage<string>();

/** The console's own method, which writes a line as it is. */
export const { log: printLine } = console;

/** Makes the console write JSON, as on Lambda (AWS: "Log and monitor Node.js Lambda functions"). */
export const writeJsonLog = (): void => {
  for (const method of ['trace', 'debug', 'log', 'info', 'warn', 'error'] as const)
    console[method] = (first: unknown, ...others: readonly unknown[]) => {
      const timestamp = new Date().toISOString();
      const level = method === 'log' ? 'INFO' : method.toUpperCase();
      const message = first instanceof Error || others.length > 0 ? format(first, ...others) : first;
      printLine(JSON.stringify({ timestamp, level, requestId: requestIds.getStore(), message }));
    };
};

const moduleSchema = v.object({ handler: v.function(), warmUp: v.function() });

/**
 * Prepares a function to run in this process.
 * @param module what `handler.ts` in its folder of `functions/` exports
 * @throws {UserError} when it does not export `handler` and `warmUp`
 */
export const lambdaFunction = (
  folder: string,
  module: unknown,
  timeoutSeconds: number,
): v.InferOutput<typeof moduleSchema> & { readonly invoke: Invoke } => {
  if (!v.is(moduleSchema, module))
    throw new UserError(`functions/${folder}/handler.ts: it must export the functions handler and warmUp.`);
  const limitMs = timeoutMs(timeoutSeconds);

  const invoke = async (event: unknown): Promise<unknown> => {
    const deadline = Date.now() + limitMs;
    const getRemainingTimeInMillis = (): number => Math.max(0, deadline - Date.now());
    const context = { awsRequestId: requestIds.getStore(), getRemainingTimeInMillis };
    try {
      const handled = module.handler(JSON.parse(JSON.stringify(event)), context);
      const timeout = delay(limitMs, undefined, { ref: false }).then(() => {
        throw new Error(`${folder} timed out after ${String(timeoutSeconds)} seconds.`);
      });
      const payload = JSON.stringify((await Promise.race([handled, timeout])) ?? null);
      if (Buffer.byteLength(payload) <= maxResponseBytes) return JSON.parse(payload);
      throw new Error(`${folder} returned more than 6 MB.`);
    } catch (error) {
      console.error(error);
      throw error;
    }
  };
  return { ...module, invoke: (event) => requestIds.run(crypto.randomUUID(), invoke, event) };
};
