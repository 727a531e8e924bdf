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
/** Far below Lambda's quota of 1,000 for an account, because this machine has few cores. */
const maxEnvironments = 4 * availableParallelism();

/** Runs one function as Lambda does. */
export interface LambdaFunction {
  /**
   * @returns the handler's result after a round trip through JSON
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
  const idle: Worker[] = [];
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
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    });
  };

  /** Logs, as Lambda does, a failure that the function cannot log itself. */
  const failure = (problem: string): InvocationError => {
    onLog(`${id}: ${problem}`);
    return new InvocationError(problem);
  };

  const run = async (worker: Worker, event: unknown): Promise<Outcome> => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const ended = (): void => {
      reject(new InvocationError('The worker ended.'));
    };
    worker.once('message', resolve).once('exit', ended);
    const timer = setTimeout(() => {
      reject(failure(`Task timed out after ${timeout.toFixed(2)} seconds.`));
      void worker.terminate();
    }, timeout * 1000);
    const invocation = { requestId: crypto.randomUUID(), deadline: Date.now() + timeout * 1000 };
    worker.postMessage({ ...invocation, event: JSON.stringify(event) } satisfies Invocation);
    return promise.finally(() => {
      clearTimeout(timer);
      worker.off('exit', ended);
    });
  };

  const invoke = async (event: unknown): Promise<unknown> => {
    // The most recently used environment, because its caches and compiled code are the warmest.
    const worker = idle.pop() ?? start();
    // Rejects if the worker timed out or ended; it is then not reused.
    const outcome = await run(worker, event);
    if (retired) void worker.terminate();
    else idle.push(worker);
    if (outcome.type === 'error') throw new InvocationError(outcome.errorType);
    if (Buffer.byteLength(outcome.payload) > maxResponseBytes)
      throw failure('The function returned more than 6 MB.');
    return JSON.parse(outcome.payload);
  };

  const limit = pLimit(maxEnvironments);
  let warm: Promise<unknown> = Promise.resolve();
  return {
    invoke: (event) => limit(() => warm.then(() => invoke(event))),
    warmUp: () => (warm = invoke(undefined).catch(() => undefined)),
    retire: () => {
      retired = true;
      for (const worker of idle.splice(0)) void worker.terminate();
    },
  };
};

/** The file and the export of a handler, by Lambda's rule: `<name>.js`, or else `<name>.mjs`. */
export const handlerOf = ({ codeFolder, handler }: BundledFunction): readonly [string, string] => {
  const [name = '', exportName = ''] = handler.split('.');
  const file = join(codeFolder, `${name}.js`);
  return [existsSync(file) ? file : join(codeFolder, `${name}.mjs`), exportName];
};
