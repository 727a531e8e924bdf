import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { url as debuggerUrl } from 'node:inspector';
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

const requestIds = new AsyncLocalStorage<string>();

/** The console's own method, which writes a line as it is. */
export const { log: printLine } = console;

/** Makes the console write JSON, as on Lambda (AWS: "Log and monitor Node.js Lambda functions"). */
export const writeJsonLog = (): void => {
  for (const method of ['trace', 'debug', 'log', 'info', 'warn', 'error'] as const)
    console[method] = (...parameters: readonly unknown[]) => {
      const [first] = parameters;
      const isEntry = parameters.length === 1 && typeof first === 'object' && !(first instanceof Error);
      const entry = {
        timestamp: new Date().toISOString(),
        level: method === 'log' ? 'INFO' : method.toUpperCase(),
        requestId: requestIds.getStore(),
        message: isEntry ? first : format(...parameters),
      };
      printLine(JSON.stringify(entry));
    };
};

type Exported = (...parameters: readonly unknown[]) => unknown;
const exported = v.custom<Exported>((value) => typeof value === 'function');
const moduleSchema = v.object({ handler: exported, warmUp: exported });

/**
 * Prepares a function to run in this process.
 * @param module what `handler.ts` in its folder of `functions/` exports
 * @throws {UserError} when it does not export `handler` and `warmUp`
 */
export const lambdaFunction = (
  folder: string,
  module: unknown,
  timeoutSeconds: number,
): { readonly invoke: Invoke; readonly warmUp: Exported } => {
  if (!v.is(moduleSchema, module))
    throw new UserError(`functions/${folder}/handler.ts: it must export the functions handler and warmUp.`);
  const { handler, warmUp } = module;
  // A debugger can pause it for hours.
  const timeoutMs = debuggerUrl() === undefined ? timeoutSeconds * 1000 : 24 * 3_600_000;

  const invoke: Invoke = async (event) => {
    const deadline = Date.now() + timeoutMs;
    const getRemainingTimeInMillis = (): number => Math.max(0, deadline - Date.now());
    const context = { awsRequestId: requestIds.getStore(), getRemainingTimeInMillis };
    const timeout = async (): Promise<never> => {
      await once(AbortSignal.timeout(timeoutMs), 'abort');
      throw new Error(`${folder} timed out after ${String(timeoutSeconds)} seconds.`);
    };
    try {
      const handled = handler(JSON.parse(JSON.stringify(event)), context);
      const payload = JSON.stringify((await Promise.race([handled, timeout()])) ?? null);
      if (Buffer.byteLength(payload) > maxResponseBytes)
        throw new Error(`${folder} returned more than 6 MB.`);
      const result: unknown = JSON.parse(payload);
      return result;
    } catch (error) {
      console.error(error);
      throw error;
    }
  };
  return { warmUp, invoke: (event) => requestIds.run(crypto.randomUUID(), invoke, event) };
};
