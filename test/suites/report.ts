// The last step of .ci/run: prints each result that is missing or incomplete, then how many cases passed and
// how many failed. Its argument is the exit code of the earlier steps.
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { unattendedSuites } from './suites.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** How many cases a test stands for, such as those that a tool generates; 1 unless set. */
    cases?: number;
  }
}

/** What vitest's reporter `json` writes. */
const report = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({ status: z.string(), meta: z.object({ cases: z.number().default(1) }) }),
      ),
    }),
  ),
});

const earlierStepsFailed = process.argv[2] !== '0';
const problems: string[] = [];
let passedCases = 0;
let failedTests = 0;
let skippedSuites = 0;
for (const name of ['npm test', ...unattendedSuites.map((suite) => suite.name)]) {
  const path = name === 'npm test' ? 'vitest.json' : `suites/${name}.json`;
  const file = new URL(`../../test-results/${path}`, import.meta.url);
  if (!existsSync(file)) {
    problems.push(`${name} has no result.`);
    continue;
  }
  const { success, testResults } = report.parse(JSON.parse(readFileSync(file, 'utf8')));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed');
  const failed = tests.filter(({ status }) => status === 'failed').length;
  const notRun = tests.length - passed.length - failed;
  passedCases += passed.reduce((sum, { meta }) => sum + meta.cases, 0);
  failedTests += failed;
  // All tests of a suite are skipped when this machine cannot run its systems.
  if (notRun > 0 && notRun === tests.length) skippedSuites += 1;
  else if (notRun > 0) problems.push(`${name}: ${String(notRun)} tests did not run.`);
  if (!success && failed === 0) problems.push(`${name} failed outside its tests.`);
}
for (const problem of problems) console.error(problem);
const reported = failedTests + problems.length;
// If an earlier step failed but no result says so, such as the benchmark, the failure is counted here.
const failures = reported === 0 && earlierStepsFailed ? 1 : reported;
const skipped = skippedSuites > 0 ? `, ${String(skippedSuites)} skipped` : '';
console.log(`${String(passedCases)} passed, ${String(failures)} failed${skipped}`);
if (failures > 0) process.exitCode = 1;
