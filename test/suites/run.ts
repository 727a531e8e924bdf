// Runs the named suites in the given order, or all suites, one process each: npm run test:suites -- NAME...
// SUITES_AT_ONCE=4 runs four suites at the same time, and prints a suite's output when the suite has ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pMap from 'p-map';
import { exitWith, UserError } from '../../terminal/user-error.ts';
import { suites, unattendedSuites } from './suites.ts';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const known = suites.map(({ name }) => name);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : unattendedSuites.map(({ name }) => name);
const unknown = chosen.filter((name) => !known.includes(name));
if (unknown.length > 0)
  exitWith(new UserError(`There is no suite ${unknown.join(', ')}. The suites are ${known.join(', ')}.`));
const atOnce = Number(process.env['SUITES_AT_ONCE'] ?? 1);
const results = file('../../test-results/suites');
mkdirSync(results, { recursive: true });

const interrupted = new AbortController();
const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    process.exitCode = 1;
    interrupted.abort(new UserError('Interrupted.'));
    for (const vitest of running) vitest.kill(signal);
  });

/** Runs the tests of a suite with additional environment variables. */
const runTests = async (name: string, variables: Readonly<Record<string, string>> = {}): Promise<void> => {
  if (interrupted.signal.aborted) return;
  const result = `${results}/${name}.json`;
  // Otherwise a suite that fails to start would keep the result of an earlier run.
  rmSync(result, { force: true });
  const log = `${results}/${name}.log`;
  const output = atOnce > 1 ? openSync(log, 'w') : 'inherit';
  const vitest = spawn(
    process.execPath,
    [
      file('../../node_modules/vitest/vitest.mjs'),
      ...['run', '--config', file('vitest.config.ts'), '--project', name],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${result}`],
    ],
    { stdio: ['ignore', output, output], env: { ...process.env, ...variables } },
  );
  running.add(vitest);
  await once(vitest, 'exit');
  running.delete(vitest);
  if (output !== 'inherit') process.stdout.write(readFileSync(log));
  if (vitest.exitCode !== 0) process.exitCode = 1;
};

const run = async (name: string): Promise<void> => {
  if (name !== 'aws') return runTests(name);
  // Loaded here, because other suites do not need the AWS SDK.
  const { testOnAws } = await import('./deployed/on-aws.ts');
  return testOnAws((variables) => runTests(name, variables), interrupted.signal);
};

await pMap(chosen, run, { concurrency: atOnce }).catch(exitWith);
