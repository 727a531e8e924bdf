import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { exitWith, UserError } from '../../terminal/user-error.ts';
import { timeoutMs } from '../lambda/debugger.ts';
import { type Api, reportSchema } from './worker-messages.ts';

/** A process with one version of the functions. */
export interface FunctionsWorker {
  /** Resolves when the functions can be invoked; rejects with a `UserError` when they cannot be loaded. */
  readonly ready: Promise<Api>;
  /** Runs the function of a folder. Rejects when the function fails or the process ends. */
  readonly invoke: (folder: string, event: unknown) => Promise<unknown>;
  /** Ends the process as soon as it runs no function, or after the longest time that a function can take. */
  readonly retire: () => void;
  readonly kill: () => void;
}

/** AWS: "Quotas for configuring and running an HTTP API in API Gateway", maximum integration timeout. */
const maxInvocationSeconds = 30;

/** Loads the functions in a process of their own, which sends no request before `storeFilled` resolves. */
export const startWorker = (
  variables: Readonly<Record<string, string>>,
  storeFilled: Promise<void>,
): FunctionsWorker => {
  const ready = Promise.withResolvers<Api>();
  const invocations = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let state: 'loading' | 'current' | 'retired' = 'loading';

  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [String(process.pid)], {
    env: { ...process.env, ...variables },
    // With the same port, the debuggers of both processes would conflict.
    execArgv: [...process.execArgv, '--inspect-port=0'],
    // Passes a response of 6 MB in a tenth of the time that JSON takes.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', kill);
  // If the process has ended, its `close` event reports that, so a failed send is ignored.
  storeFilled.then(() => child.send('filled', () => undefined), exitWith);
  const loadTimeout = setTimeout(() => {
    ready.reject(
      new UserError(
        'The functions did not load in 20 seconds. ' +
          'Check what the files handler.ts await at their top level or in warmUp.',
      ),
    );
    kill();
  }, timeoutMs(20));

  /** Removes an invocation that has a result. */
  const completed = (id: number): PromiseWithResolvers<unknown> | undefined => {
    const invocation = invocations.get(id);
    invocations.delete(id);
    if (state === 'retired' && invocations.size === 0) kill();
    return invocation;
  };
  child.on('message', (message) => {
    const report = v.parse(reportSchema, message);
    switch (report.type) {
      case 'ready':
        clearTimeout(loadTimeout);
        state = 'current';
        ready.resolve(report.api);
        break;
      case 'load-failed':
        ready.reject(new UserError(report.problem));
        break;
      case 'result':
        completed(report.id)?.resolve(report.result);
        break;
      case 'failure':
        completed(report.id)?.reject(new Error('The function failed.'));
    }
  });
  child.once('close', (code, signal) => {
    process.off('exit', kill);
    clearTimeout(loadTimeout);
    const problem = `The process of the functions ended (${signal ?? `exit code ${String(code)}`}).`;
    switch (state) {
      case 'loading':
        // No effect after `load-failed` or the timeout, which have rejected with the reason.
        ready.reject(new UserError(problem));
        break;
      case 'current':
        exitWith(new UserError(`${problem} Run npm start again.`));
        break;
      case 'retired':
        for (const { reject } of invocations.values()) reject(new Error(problem));
    }
  });

  return {
    ready: ready.promise,
    invoke: (folder, event) => {
      const result = Promise.withResolvers<unknown>();
      lastId += 1;
      invocations.set(lastId, result);
      // If the process has ended, its `close` event rejects the result, so a failed send is ignored.
      child.send({ id: lastId, folder, event }, () => undefined);
      return result.promise;
    },
    retire: () => {
      state = 'retired';
      if (invocations.size === 0) kill();
      setTimeout(kill, timeoutMs(maxInvocationSeconds));
    },
    kill,
  };
};
