import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { exitWith, UserError } from '../../terminal/user-error.ts';
import { timeoutMs } from '../lambda/debugger.ts';
import { type Api, reportSchema } from './worker-messages.ts';

/** A process with one version of the functions. */
export interface FunctionsWorker {
  /** Resolves when the functions can be invoked. @throws {UserError} when they cannot be loaded */
  readonly ready: Promise<Api>;
  /** Runs the function of a folder. It rejects when the function fails, and when the process ends. */
  readonly invoke: (folder: string, event: unknown) => Promise<unknown>;
  /** Ends the process as soon as it runs no function, or after the longest time that a function can take. */
  readonly retire: () => void;
  readonly kill: () => void;
}

/** AWS: "Quotas for configuring and running an HTTP API in API Gateway", maximum integration timeout. */
const maxInvocationSeconds = 30;

/** Loads the functions in a process of their own. It sends no request before `storeFilled`. */
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
    // The port of this process's debugger is taken.
    execArgv: [...process.execArgv, '--inspect-port=0'],
    // A response of 6 MB takes a tenth of the time that it takes as JSON.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', kill);
  // A process that ended meanwhile is reported below.
  storeFilled.then(() => child.send('filled', () => undefined), exitWith);
  const loadTimeout = setTimeout(() => {
    ready.reject(new UserError('The functions did not load in 20 seconds.'));
    kill();
  }, timeoutMs(20));

  const invocation = (id: number): PromiseWithResolvers<unknown> | undefined => {
    const found = invocations.get(id);
    invocations.delete(id);
    if (state === 'retired' && invocations.size === 0) kill();
    return found;
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
        invocation(report.id)?.resolve(report.result);
        break;
      case 'failure':
        invocation(report.id)?.reject(new Error('The function failed.'));
    }
  });
  child.once('close', (code, signal) => {
    process.off('exit', kill);
    clearTimeout(loadTimeout);
    const end = `The process of the functions ended (${signal ?? `exit code ${String(code)}`}).`;
    if (state === 'current') exitWith(new UserError(end));
    ready.reject(new UserError(end));
    for (const { reject } of invocations.values()) reject(new Error(end));
  });

  return {
    ready: ready.promise,
    invoke: (folder, event) => {
      const result = Promise.withResolvers<unknown>();
      lastId += 1;
      invocations.set(lastId, result);
      // If the process ended, its end rejects the result.
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
