// The end of .ci/run: what is wrong with the results as a whole, then the count of all cases.
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { readResults } from './harness/result.ts';
import { suites } from './suites.ts';

const failedBefore = process.argv[2] !== '0';
const testsFile = new URL('../../test-results/vitest.json', import.meta.url);
const tests = z
  .object({ numPassedTests: z.number(), numFailedTests: z.number(), numPendingTests: z.number() })
  .parse(
    existsSync(testsFile)
      ? JSON.parse(readFileSync(testsFile, 'utf8'))
      : { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 },
  );
const results = readResults();
const sum = (count: 'passed' | 'failed'): number =>
  results.reduce((total, result) => total + result[count], 0);

const problems = [
  ...suites
    .filter(({ name }) => !results.some(({ suite }) => suite === name))
    .map(({ name }) => `The suite ${name} has no result.`),
];
for (const problem of problems) console.error(problem);

const passed = tests.numPassedTests + sum('passed');
// What failed outside the tests, such as a check or the benchmark, counts as one.
const failed = tests.numFailedTests + sum('failed') + problems.length || Number(failedBefore);
const skipped = tests.numPendingTests + results.filter((result) => result.skipped).length;
console.log(
  `${String(passed)} passed, ${String(failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ''}`,
);
if (failed > 0) process.exitCode = 1;
