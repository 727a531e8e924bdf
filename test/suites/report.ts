// The last step of .ci/run: prints each result that is missing or incomplete, then the count of all cases.
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

const failedBefore = process.argv[2] !== '0';
const problems: string[] = [];
let passed = 0;
let failed = 0;
let skipped = 0;
for (const name of ['npm test', ...unattendedSuites.map((suite) => suite.name)]) {
  const path = name === 'npm test' ? 'vitest.json' : `suites/${name}.json`;
  const file = new URL(`../../test-results/${path}`, import.meta.url);
  if (!existsSync(file)) {
    problems.push(`${name} has no result.`);
    continue;
  }
  const { success, testResults } = report.parse(JSON.parse(readFileSync(file, 'utf8')));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const good = tests.filter(({ status }) => status === 'passed');
  const bad = tests.filter(({ status }) => status === 'failed').length;
  const notRun = tests.length - good.length - bad;
  passed += good.reduce((sum, { meta }) => sum + meta.cases, 0);
  failed += bad;
  // All tests of a suite are skipped when this machine cannot run its systems.
  if (notRun > 0 && notRun === tests.length) skipped += 1;
  else if (notRun > 0) problems.push(`${name}: ${String(notRun)} tests did not run.`);
  if (!success && bad === 0) problems.push(`${name} failed outside its tests.`);
}
for (const problem of problems) console.error(problem);
// A failure that no result contains, such as the benchmark's, counts as one.
failed = failed + problems.length || Number(failedBefore);
console.log(
  `${String(passed)} passed, ${String(failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ''}`,
);
if (failed > 0) process.exitCode = 1;
