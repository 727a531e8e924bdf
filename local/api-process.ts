import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { url as debuggerUrl } from 'node:inspector';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { exitWith, UserError } from '../cli/terminal/user-error.ts';
import { projectFolder } from './service-file.ts';

/** Longer than any load or request: a process that is silent for so long is in an endless loop. */
const silentMs = 20_000;

/**
 * Prepares processes of local/api.ts with these variables. They send no request before `storeFilled`.
 * @returns a function that loads the present sources into a new process, which replaces the previous one when
 * it listens. It returns the port, and throws a `UserError` when the sources cannot be loaded.
 */
export const apiProcess = (
  variables: Readonly<Record<string, string>>,
  storeFilled: Promise<void>,
): (() => Promise<number>) => {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('./api.ts', import.meta.url)),
    // Standard error is read here, because a failed load is reported in one sentence.
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  process.once('exit', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
  });
  let current: Worker | undefined;
  let loaded: Promise<unknown> = Promise.resolve();

  // One after the other: of two, the slower one would stay, even if its sources are older.
  const load = (): Promise<number> => {
    const port = loaded.then(loadNow);
    loaded = port.catch(() => undefined);
    return port;
  };
  const loadNow = async (): Promise<number> => {
    const worker = cluster.fork(variables);
    // A process that ends meanwhile is reported below.
    storeFilled.then(() => worker.send('filled', () => undefined), exitWith);
    let errors = '';
    let problem: string | undefined;
    worker.process.stderr?.on('data', (chunk: Buffer) => {
      if (worker === current) console.error(String(chunk).trimEnd());
      else errors += String(chunk);
    });
    const watchdog = setTimeout(() => {
      // A debugger may have paused it.
      if (debuggerUrl() !== undefined) return;
      if (worker === current) {
        console.error('The functions have not responded for 20 seconds. They are loaded again.');
        load().then(() => worker.process.kill('SIGKILL'), exitWith);
      } else {
        problem = 'The functions did not load in 20 seconds.';
        worker.process.kill('SIGKILL');
      }
    }, silentMs).unref();
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
  return load;
};

/** The first place in this project that an error output names, and the first line of the error. */
const firstProblem = (errorOutput: string): string | undefined => {
  const text = errorOutput.replaceAll(pathToFileURL(projectFolder).href, '').replaceAll(projectFolder, '');
  const [, name, message] = /^(\w*Error)(?: \[\w+\])?: (.+)$/m.exec(text) ?? [];
  if (name === UserError.name || message === undefined || message.startsWith('infra/')) return message;
  const [place = 'local/api.ts'] = /(?:functions|infra|local|table)\/[\w./-]+\.ts(?::\d+)*/.exec(text) ?? [];
  return `${place}: ${message.replace(/\.?$/, '.')}`;
};
