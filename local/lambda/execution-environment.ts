import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import type { FunctionDefinition } from '../stack/stack.ts';
import { type Invocation, InvocationError, type Outcome } from './invocation.ts';

/** Runs invocations of one function, one at a time. */
export interface ExecutionEnvironment {
  /** False once the environment has ended; it cannot be used again. */
  readonly alive: () => boolean;
  /**
   * @returns the result as JSON
   * @throws {InvocationError} when the handler threw, the code could not be loaded, or the worker ended
   */
  readonly run: (invocation: Invocation) => Promise<string>;
  readonly end: () => Promise<void>;
}

/** The file of a handler, by Lambda's rule: `<name>.js`, or else `<name>.mjs`. */
export const handlerFile = (codeFolder: string, name: string): string => {
  const file = join(codeFolder, `${name}.js`);
  return existsSync(file) ? file : join(codeFolder, `${name}.mjs`);
};

/**
 * Starts a worker thread with the function's environment and none of this process's variables.
 * @param onLog receives each line that the function logs
 */
export const startEnvironment = (
  { id, codeFolder, handler, memorySize }: FunctionDefinition,
  env: Readonly<Record<string, string>>,
  onLog: (line: string) => void,
): ExecutionEnvironment => {
  const [file = '', exportName = ''] = handler.split('.');
  const worker = new Worker(new URL('./function-worker.ts', import.meta.url), {
    argv: [handlerFile(codeFolder, file), exportName, id, memorySize],
    env,
    resourceLimits: { maxOldGenerationSizeMb: memorySize },
    stdout: true,
  });
  createInterface({ input: worker.stdout }).on('line', onLog);
  let alive = true;
  let settle: { resolve: (outcome: Outcome) => void; reject: (error: Error) => void } | undefined;
  const fail = (message: string): void => {
    alive = false;
    settle?.reject(new InvocationError('crashed', message));
  };
  worker.on('message', (outcome: Outcome) => settle?.resolve(outcome));
  worker.on('error', (error) => {
    onLog(`${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    fail('The worker failed.');
  });
  worker.on('exit', () => {
    fail('The worker ended.');
  });

  return {
    alive: () => alive,
    run: async (invocation) => {
      const outcome = await new Promise<Outcome>((resolve, reject) => {
        settle = { resolve, reject };
        worker.postMessage(invocation);
      }).finally(() => {
        settle = undefined;
      });
      if (outcome.type === 'error') throw new InvocationError('crashed', outcome.errorType);
      return outcome.payload;
    },
    end: async () => {
      alive = false;
      await worker.terminate();
    },
  };
};
