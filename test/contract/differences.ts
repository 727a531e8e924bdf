import type { RunnerTask, RunnerTestCase } from 'vitest';

/** The reason why a gateway other than AWS's fails a test, by the test's name. */
export type Differences = Readonly<Record<string, string>>;

/**
 * Expects these tests to fail, and does not count them as cases. A listed test that passes is an error.
 * @throws {Error} when a listed test does not exist
 */
export const expectToFail = (tasks: readonly RunnerTask[], differences: Differences): void => {
  const tests = testsIn(tasks);
  for (const name of Object.keys(differences)) {
    const test = tests.find((each) => each.name === name);
    if (test === undefined) throw new Error(`There is no test "${name}".`);
    test.fails = true;
    test.meta.cases = 0;
  }
};

const testsIn = (tasks: readonly RunnerTask[]): readonly RunnerTestCase[] =>
  tasks.flatMap((task) => (task.type === 'suite' ? testsIn(task.tasks) : [task]));
