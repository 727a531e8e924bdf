import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { url as debuggerUrl } from 'node:inspector';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { exitWith, UserError } from '../cli/terminal/user-error.ts';
import { projectFolder } from './service-file.ts';
import { watchSources } from './watch-sources.ts';

/** Longer than any load or request: a process that is silent for so long is in an endless loop. */
const silentMs = 18_000;
/** With Ctrl-Z both processes pause. Then a message comes within this time. */
const graceMs = 2000;

/** Longer than the pause between two writes of one save or one git command. */
const debounceMs = 10;

/**
 * Runs local/api.ts with these variables, and again after each change of the sources: the new process
 * replaces the previous one when it listens. None sends a request before `storeFilled`.
 * @returns the port
 * @throws {UserError} when the sources cannot be loaded at the start
 */
export const runApi = async (
  variables: Readonly<Record<string, string>>,
  storeFilled: Promise<void>,
): Promise<number> => {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('./api.ts', import.meta.url)),
    // Standard error is read here, because a failed load is reported in one sentence.
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  process.once('exit', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
  });
  let current: Worker | undefined;
  let changed = Promise.withResolvers<true>();

  const load = async (): Promise<number> => {
    const worker = cluster.fork(variables);
    // A process that ends meanwhile is reported below.
    storeFilled.then(() => worker.send('filled', () => undefined), exitWith);
    let errors = '';
    let problem: string | undefined;
    worker.process.stderr?.on('data', (chunk: Buffer) => {
      if (worker === current) console.error(String(chunk).trimEnd());
      else errors += String(chunk);
    });
    const replaceIfSilent = async (): Promise<void> => {
      const heard = await Promise.race([once(worker, 'message'), delay(graceMs)]);
      // A debugger may have paused it.
      if (heard !== undefined || debuggerUrl() !== undefined) return;
      if (worker === current) {
        console.error('The functions have not responded for 20 seconds. They are loaded again.');
        changed.resolve(true);
        // It keeps the port until another one listens.
        watchdog.refresh();
      } else {
        problem = 'The functions did not load in 20 seconds.';
        worker.process.kill('SIGKILL');
      }
    };
    const watchdog = setTimeout(() => void replaceIfSilent(), silentMs).unref();
    worker.on('message', () => watchdog.refresh());
    const listening = once(worker, 'listening').then(([{ port }]) => Number(port));
    const ended = once(worker.process, 'close').then(([code, signal]): never => {
      const cause = code === null ? String(signal) : `exit code ${String(code)}`;
      const end = `The process of the functions ended (${cause}).`;
      if (worker === current) exitWith(new UserError(end));
      throw new UserError(problem ?? firstProblem(errors) ?? end);
    });
    const port = await Promise.race([listening, ended]);
    if (errors !== '') console.error(errors.trimEnd());
    current?.disconnect();
    current = worker;
    return port;
  };

  /** Loads one after the other: of two, the slower one would stay, even if its sources are older. */
  const loadChanges = async (): Promise<never> => {
    for (;;) {
      await changed.promise;
      do changed = Promise.withResolvers();
      while (await Promise.race([changed.promise, delay(debounceMs, false)]));
      try {
        await load();
        console.log('The functions were reloaded.');
      } catch (error) {
        console.error(`${String(error).replace('UserError: ', '')} The previous version still runs.`);
      }
    }
  };
  watchSources((path) => {
    if (/^local\/(?!api\.ts|api-page|gateway|issuer\/token|lambda)/.test(path))
      console.log(`${path} is only read at the start: restart npm start.`);
    changed.resolve(true);
  });
  const port = await load();
  void loadChanges();
  return port;
};

/** The first place in this project that an error output names, and the first line of the error. */
const firstProblem = (errorOutput: string): string | undefined => {
  const text = errorOutput.replaceAll(pathToFileURL(projectFolder).href, '').replaceAll(projectFolder, '');
  const [, name, message = 'an error without a message'] = /^(\w+)(?: \[\w+\])?: (.+)$/m.exec(text) ?? [];
  if (name === UserError.name || message.startsWith('infra/')) return message;
  const [first] = /(?:functions|infra|local|table)\/[\w./-]+\.ts(?::\d+)*/.exec(text) ?? [];
  const place = first ?? (name && 'local/api.ts');
  return place && `${place}: ${message.replace(/\.?$/, '.')}`;
};
