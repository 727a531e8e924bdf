import { AsyncLocalStorage } from 'node:async_hooks';
import { url as debuggerUrl } from 'node:inspector';
import { setTimeout as delay } from 'node:timers/promises';
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

interface LambdaFunction {
  readonly invoke: Invoke;
  readonly warmUp: Exported;
}

/**
 * Prepares a function to run in this process.
 * @param module what `handler.ts` in its folder of `functions/` exports
 * @throws {UserError} when it does not export what Lambda calls
 */
export const lambdaFunction = (folder: string, module: unknown, timeoutSeconds: number): LambdaFunction => {
  const exported = (name: string): Exported => {
    const value: unknown = Reflect.get(Object(module), name);
    if (isFunction(value)) return value;
    throw new UserError(`functions/${folder}/handler.ts: it exports no function ${name}.`);
  };
  const [handler, warmUp] = [exported('handler'), exported('warmUp')];
  // A debugger can pause it for hours.
  const timeoutMs = debuggerUrl() === undefined ? timeoutSeconds * 1000 : 24 * 3_600_000;

  const run = async (event: unknown): Promise<unknown> => {
    const deadline = Date.now() + timeoutMs;
    const context = {
      awsRequestId: requestIds.getStore(),
      getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    };
    const passed: unknown = JSON.parse(JSON.stringify(event));
    const payload = JSON.stringify((await handler(passed, context)) ?? null);
    if (Buffer.byteLength(payload) <= maxResponseBytes) return JSON.parse(payload);
    throw new Error(`${folder} returned more than 6 MB.`);
  };
  const timeOut = async (signal: AbortSignal): Promise<never> => {
    await delay(timeoutMs, undefined, { ref: false, signal });
    throw new Error(`${folder} timed out after ${String(timeoutSeconds)} seconds.`);
  };
  const invoke: Invoke = (event) =>
    requestIds.run(crypto.randomUUID(), async () => {
      const responded = new AbortController();
      try {
        return await Promise.race([run(event), timeOut(responded.signal)]);
      } catch (error) {
        console.error(error);
        throw error;
      } finally {
        responded.abort();
      }
    });
  return { invoke, warmUp };
};
