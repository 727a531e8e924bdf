import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { exitWith, UserError } from '../cli/terminal/user-error.ts';
import { timeoutMs } from './lambda.ts';
import { projectFolder } from './service-file.ts';
import { watchSources } from './watch-sources.ts';

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
  let current: Worker | undefined;
  let changed = Promise.withResolvers<true>();

  const load = async (): Promise<number> => {
    const worker = cluster.fork(variables);
    const kill = () => worker.process.kill('SIGKILL');
    process.once('exit', kill);
    // A process that ends meanwhile is reported below.
    storeFilled.then(() => worker.send('filled', () => undefined), exitWith);
    let errors = '';
    worker.process.stderr?.on('data', (chunk: Buffer) => {
      if (worker === current) console.error(String(chunk).trimEnd());
      else errors += String(chunk);
    });
    let problem: string | undefined;
    const timeout = setTimeout(() => {
      problem = 'The functions did not load in 20 seconds.';
      kill();
    }, timeoutMs(20));
    const listening = once(worker, 'listening').then(([{ port }]) => Number(port));
    const ended = once(worker.process, 'close').then(([code, signal]): never => {
      process.off('exit', kill);
      const end = `The process of the functions ended (${String(signal ?? `exit code ${String(code)}`)}).`;
      if (worker === current) exitWith(new UserError(end));
      throw new UserError(problem ?? firstProblem(errors) ?? end);
    });
    const port = await Promise.race([listening, ended]);
    clearTimeout(timeout);
    if (errors !== '') console.error(errors.trimEnd());
    const previous = current;
    current = worker;
    previous?.disconnect();
    // Its requests take less time. In an endless loop, it would never end.
    setTimeout(() => previous?.process.kill('SIGKILL'), timeoutMs(40));
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
