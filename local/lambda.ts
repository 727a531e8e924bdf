import { AsyncLocalStorage } from 'node:async_hooks';
import { url as debuggerUrl } from 'node:inspector';
import { format } from 'node:util';
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
const isFunction = (value: unknown): value is Exported => typeof value === 'function';

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
  const [handler, warmUp] = ['handler', 'warmUp'].map((name): unknown => Reflect.get(Object(module), name));
  if (!isFunction(handler) || !isFunction(warmUp))
    throw new UserError(`functions/${folder}/handler.ts: it must export the functions handler and warmUp.`);
  // A debugger can pause it for hours.
  const timeoutMs = debuggerUrl() === undefined ? timeoutSeconds * 1000 : 24 * 3_600_000;

  const run = async (event: unknown): Promise<unknown> => {
    const deadline = Date.now() + timeoutMs;
    const getRemainingTimeInMillis = (): number => Math.max(0, deadline - Date.now());
    const context = { awsRequestId: requestIds.getStore(), getRemainingTimeInMillis };
    const payload = JSON.stringify((await handler(JSON.parse(JSON.stringify(event)), context)) ?? null);
    if (Buffer.byteLength(payload) <= maxResponseBytes) return JSON.parse(payload);
    throw new Error(`${folder} returned more than 6 MB.`);
  };
  const invoke: Invoke = async (event) => {
    const timedOut = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      timedOut.reject(new Error(`${folder} timed out after ${String(timeoutSeconds)} seconds.`));
    }, timeoutMs);
    try {
      return await Promise.race([run(event), timedOut.promise]);
    } catch (error) {
      console.error(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  return { invoke: (event) => requestIds.run(crypto.randomUUID(), invoke, event), warmUp };
};
