import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { UserError } from '../../terminal/user-error.ts';
import { timeoutMs } from './debugger.ts';

/**
 * Runs a function with an event.
 * @returns the handler's result after a round trip through JSON, as on Lambda
 * @throws {Error} when the handler threw, timed out or returned too much
 */
export type Invoke = (event: unknown) => Promise<unknown>;

/** AWS: "Lambda quotas", invocation payload of a synchronous response. */
const maxResponseBytes = 6 * 1024 * 1024;

const requestIds = new AsyncLocalStorage<string>();

/** The id of the invocation that runs this code; undefined outside an invocation. */
export const currentRequestId = (): string | undefined => requestIds.getStore();

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
  const limit = timeoutMs(timeoutSeconds);

  const invoke = async (event: unknown): Promise<unknown> => {
    const deadline = Date.now() + limit;
    const getRemainingTimeInMillis = (): number => Math.max(0, deadline - Date.now());
    const context = { awsRequestId: currentRequestId(), getRemainingTimeInMillis };
    try {
      const handling = module.handler(JSON.parse(JSON.stringify(event)), context);
      const timeout = delay(limit, undefined, { ref: false }).then(() => {
        throw new Error(`${folder} timed out after ${String(timeoutSeconds)} seconds.`);
      });
      const payload = JSON.stringify((await Promise.race([handling, timeout])) ?? null);
      if (Buffer.byteLength(payload) <= maxResponseBytes) return JSON.parse(payload);
      throw new Error(`${folder} returned more than 6 MB.`);
    } catch (error) {
      console.error(error);
      throw error;
    }
  };
  return { ...module, invoke: (event) => requestIds.run(crypto.randomUUID(), invoke, event) };
};
