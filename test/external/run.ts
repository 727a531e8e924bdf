// Runs suites with their external systems: npm run test:external -- NAME...
//
// vitest's `projects` and `globalSetup` do not replace this file. vitest 5.1 runs the global setup of every project before
// the first test and its teardown after the last, so all systems would run at once; a signal makes it exit without any
// teardown; and it cannot report a project as skipped because its system cannot run on this machine.
import { createVitest, type TestCase } from 'vitest/node';
import { endDescendants } from './harness/descendants.ts';
import { bringUp, type ExternalSystem, ExternalSystemError } from './harness/external-system.ts';
import { type SuiteResult, writeResult } from './harness/result.ts';
import { type Suite, suites } from './suites.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** How many cases a test stands for, such as those that a tool generates; 1 unless set. */
    cases?: number;
    /** What a reader of the result should know. */
    note?: string;
  }
}

const interruption = new AbortController();
const interrupted = interruption.signal;

/** Replaces vitest's own handlers, which exit at once and leave running what the tests started. */
const handleSignals = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal).on(signal, () => {
      interruption.abort(new ExternalSystemError('The suite was interrupted.', false));
    });
  }
};

type Outcome = Pick<SuiteResult, 'passed' | 'failed' | 'problem' | 'skipped' | 'notes'>;

/** Runs a suite's tests with its systems, and stops the systems in any case. */
const runSuite = async (suite: Suite): Promise<SuiteResult> => {
  const start = performance.now();
  const systems: ExternalSystem[] = [];
  let variables: Readonly<Record<string, string>> = {};
  let outcome: Outcome;
  try {
    for (const name of suite.systems) {
      const system = await bringUp(name, variables);
      systems.push(system);
      interrupted.throwIfAborted();
      variables = { ...variables, ...system.variables };
    }
    outcome = await runTests(suite, systems, variables);
  } catch (error) {
    if (!(error instanceof ExternalSystemError)) throw error;
    const { message: problem, missing: skipped } = error;
    outcome = { passed: 0, failed: skipped ? 0 : 1, problem, skipped, notes: [] };
  } finally {
    for (const system of systems.toReversed()) await system.down();
  }
  const seconds = Math.round((performance.now() - start) / 1000);
  const versions = [
    ...systems.map(({ version }) => version),
    ...(suite.vendored === undefined ? [] : [suite.vendored]),
  ];
  return { suite: suite.name, systems: versions, ...outcome, seconds };
};

const runTests = async (
  { name, tests: include = `test/external/${name}.test.ts` }: Suite,
  systems: readonly ExternalSystem[],
  env: Readonly<Record<string, string>>,
): Promise<Outcome> => {
  const vitest = await createVitest({
    config: false,
    watch: false,
    include: [include],
    env,
    // A signal to the process group must not end the tests before they have cleaned up.
    pool: 'threads',
    // Systems in containers or with faults are slow. No test asserts a duration.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Lines about slow tests would hide the failures in the log of .ci/run.
    slowTestThreshold: 120_000,
    reporters: ['default'],
  });
  handleSignals();
  let problem: string | undefined;
  const watch = setInterval(() => {
    // Cancel once: a second call ends the tests before they have stopped what they started.
    if (problem !== undefined) return;
    const dead = systems.find(({ isAlive }) => !isAlive());
    if (interrupted.aborted) problem = 'The suite was interrupted.';
    else if (dead) problem = `${dead.version} ended during the tests; its log is in test-results/external.`;
    else return;
    void vitest.cancelCurrentRun('test-failure');
  }, 250);
  try {
    const { testModules, unhandledErrors } = await vitest.start();
    const tests = testModules.flatMap(({ children }) => [...children.allTests()]);
    // Failures outside the tests, such as those in hooks.
    const others = testModules.flatMap((each) => [each, ...each.children.allSuites()]);
    const failed =
      count(tests, 'failed') +
      others.filter((each) => each.errors().length > 0).length +
      unhandledErrors.length;
    const left = count(tests, 'skipped') + count(tests, 'pending');
    if (left > 0) problem ??= `${String(left)} tests did not run.`;
    return {
      passed: count(tests, 'passed'),
      failed: failed + Number(problem !== undefined),
      ...(problem !== undefined && { problem }),
      skipped: false,
      notes: tests.flatMap((test) => test.meta().note ?? []),
    };
  } finally {
    clearInterval(watch);
    await vitest.close();
    // Tests that were cancelled do not stop the tools they ran.
    if (problem !== undefined) await endDescendants();
  }
};

/** The number of cases with a result; a test may stand for several cases. */
const count = (tests: readonly TestCase[], state: ReturnType<TestCase['result']>['state']): number =>
  tests
    .filter((test) => test.result().state === state)
    .reduce((sum, test) => sum + (state === 'passed' ? (test.meta().cases ?? 1) : 1), 0);

const summary = (result: SuiteResult): string => {
  const { suite, systems, passed, failed, problem = '', skipped, notes, seconds } = result;
  if (skipped) return `${suite}: skipped: ${problem}`;
  const counts = `${suite}: ${String(passed)} passed, ${String(failed)} failed in ${String(seconds)} s`;
  return [counts, `(${systems.join(', ') || 'no external system'})`, problem, ...notes].join(' ').trimEnd();
};

handleSignals();
const names = process.argv.slice(2);
const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  const known = suites.map(({ name }) => name).join(', ');
  console.error(`There is no suite ${unknown.join(', ')}. The suites are ${known}.`);
  process.exit(1);
}
const results: SuiteResult[] = [];
for (const suite of suites.filter(({ name }) => names.length === 0 || names.includes(name))) {
  if (interrupted.aborted) break;
  const result = await runSuite(suite);
  writeResult(result);
  results.push(result);
}
// At the end, so that the lines are not between those of the tests.
for (const result of results) console.log(summary(result));
if (interrupted.aborted || results.some(({ failed }) => failed > 0)) process.exitCode = 1;
