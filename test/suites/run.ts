// Runs suites one after another, each in a process of its own, or all of them: npm run test:suites -- NAME...
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suites } from './suites.ts';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const names = process.argv.slice(2);
const known = suites.map(({ name }) => name);
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}. The suites are ${known.join(', ')}.`);
  process.exit(1);
}
let vitest: ChildProcess | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    vitest?.kill(signal);
    process.exit(1);
  });
for (const name of known.filter((each) => names.length === 0 || names.includes(each))) {
  const result = file(`../../test-results/suites/${name}.json`);
  // Otherwise a suite that does not start would have its last result.
  rmSync(result, { force: true });
  vitest = spawn(
    process.execPath,
    [
      file('../../node_modules/vitest/vitest.mjs'),
      ...['run', '--config', file('vitest.config.ts'), '--project', name],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${result}`],
    ],
    { stdio: 'inherit' },
  );
  await once(vitest, 'exit');
  if (vitest.exitCode !== 0) process.exitCode = 1;
}
