import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { BundledFunction } from '../stack/bundle.ts';
import { type Invocation, InvocationError, type Outcome } from './invocation.ts';

/** AWS: "Lambda quotas", invocation payload of a synchronous response. */
const maxResponseBytes = 6 * 1024 * 1024;
/** Lambda has no such limit, but this machine has few cores to start environments on. */
const maxEnvironments = 4 * availableParallelism();

/** Runs one function as Lambda does. */
export interface LambdaFunction {
  /**
   * @returns what the handler returned, through JSON
   * @throws {InvocationError} when it threw, ended, timed out or returned too much
   */
  readonly invoke: (event: unknown) => Promise<unknown>;
  /** Starts an environment for the first invocation, and waits until it has loaded the function or ended. */
  readonly warmUp: () => Promise<unknown>;
  /** Ends the environments as they become idle. Later invocations still work. */
  readonly retire: () => void;
}

/**
 * Runs a function in worker threads, its execution environments: one for each concurrent request, up to a
 * limit. More requests wait.
 * @param variables all of the function's `process.env`
 * @param onLog receives each line that the function logs
 */
export const lambdaFunction = (
  definition: BundledFunction,
  variables: Readonly<Record<string, string>>,
  onLog: (line: string) => void,
): LambdaFunction => {
  const { id, timeout, memorySize } = definition;
  let idle: readonly Worker[] = [];
  let retired = false;

  const start = (): Worker => {
    const worker = new Worker(new URL('./function-worker.ts', import.meta.url), {
      argv: [...handlerOf(definition), id, memorySize],
      env: variables,
      resourceLimits: { maxOldGenerationSizeMb: memorySize },
      stdout: true,
    });
    createInterface({ input: worker.stdout }).on('line', onLog);
    worker.on('error', (error) => {
      onLog(`${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    });
    return worker.once('exit', () => {
      idle = idle.filter((each) => each !== worker);
    });
  };

  const run = async (worker: Worker, event: unknown): Promise<Outcome> => {
    const requestId = crypto.randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const fail = (problem: string): void => {
      reject(new InvocationError(problem));
    };
    const ended = (): void => {
      fail('The worker ended.');
    };
    worker.once('message', resolve).once('exit', ended);
    const timer = setTimeout(() => {
      fail(`RequestId: ${requestId} Error: Task timed out after ${timeout.toFixed(2)} seconds`);
      void worker.terminate();
    }, timeout * 1000);
    const deadline = Date.now() + timeout * 1000;
    worker.postMessage({ requestId, event: JSON.stringify(event), deadline } satisfies Invocation);
    return promise.finally(() => {
      clearTimeout(timer);
      worker.off('exit', ended);
    });
  };

  const invoke = async (event: unknown): Promise<unknown> => {
    // The last one used, so that few of them serve few callers.
    const worker = idle.at(-1) ?? start();
    idle = idle.slice(0, -1);
    // One that timed out or ended is not used again.
    const outcome = await run(worker, event);
    if (retired) void worker.terminate();
    else idle = [...idle, worker];
    if (outcome.type === 'error') throw new InvocationError(outcome.errorType);
    if (Buffer.byteLength(outcome.payload) > maxResponseBytes)
      throw new InvocationError('The function returned more than 6 MB.');
    return JSON.parse(outcome.payload);
  };

  const limit = pLimit(maxEnvironments);
  let warm: Promise<unknown> = Promise.resolve();
  return {
    invoke: (event) => limit(() => warm.then(() => invoke(event))),
    warmUp: () => (warm = invoke(undefined).catch(() => undefined)),
    retire: () => {
      retired = true;
      for (const worker of idle) void worker.terminate();
      idle = [];
    },
  };
};

/** The file and the export of a handler, by Lambda's rule: `<name>.js`, or else `<name>.mjs`. */
export const handlerOf = ({
  codeFolder,
  handler,
}: Pick<BundledFunction, 'codeFolder' | 'handler'>): readonly [file: string, exportName: string] => {
  const [name = '', exportName = ''] = handler.split('.');
  const file = join(codeFolder, `${name}.js`);
  return [existsSync(file) ? file : join(codeFolder, `${name}.mjs`), exportName];
};
