import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { exitWith, UserError } from '../cli/terminal/user-error.ts';
import { timeoutMs } from './lambda.ts';
import { projectFolder } from './service-file.ts';
import { watchSources } from './watch-sources.ts';

/**
 * Runs local/api.ts with these variables, and again after each change of the sources: the new process
 * replaces the previous one when it listens. None sends a request before `storeFilled`.
 * @returns the port
 * @throws {UserError} when the sources cannot be loaded at the start
 */
export const runApi = (
  variables: Readonly<Record<string, string>>,
  storeFilled: Promise<void>,
): Promise<number> => {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('./api.ts', import.meta.url)),
    // Standard error is read here, because a failed load is reported in one sentence.
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  const firstPort = Promise.withResolvers<number>();
  let current: Worker | undefined;
  let loading: Worker | undefined;

  const load = (): void => {
    // Its sources are no longer the newest.
    loading?.process.kill('SIGKILL');
    const worker = cluster.fork(variables);
    loading = worker;
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
    worker.once('listening', ({ port }) => {
      if (worker !== loading) return;
      clearTimeout(timeout);
      if (errors !== '') console.error(errors.trimEnd());
      const previous = current;
      current = worker;
      loading = undefined;
      firstPort.resolve(port);
      if (previous === undefined) return;
      console.log('The functions were reloaded.');
      previous.disconnect();
      // Its requests take less time. In an endless loop, it would never end.
      setTimeout(() => previous.process.kill('SIGKILL'), timeoutMs(40));
    });
    worker.process.once('close', (code, signal) => {
      process.off('exit', kill);
      const end = `The process of the functions ended (${signal ?? `exit code ${String(code)}`}).`;
      if (worker === current) exitWith(new UserError(end));
      if (worker !== loading) return;
      problem ??= firstProblem(errors) ?? end;
      if (current === undefined) exitWith(new UserError(problem));
      console.error(`${problem} The previous version still runs.`);
    });
  };

  let debounce: NodeJS.Timeout | undefined;
  watchSources((_, path) => {
    if (/^local\/(?!api\.ts|api-page|gateway|issuer\/token|lambda)/.test(path))
      console.log(`${path} is only read at the start: restart npm start.`);
    clearTimeout(debounce);
    // Longer than the pause between two writes of one save or one git command.
    debounce = setTimeout(load, 10);
  });
  load();
  return firstPort.promise;
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
