import { fileURLToPath } from 'node:url';
import { createVitest, type TestCase } from 'vitest/node';
import { endDescendants } from './descendants.ts';
import { bringUp, type Engine, EngineError } from './external-system.ts';
import { type Lane, lanes } from './suites.ts';
import { type LaneResult, writeResult } from './result.ts';

const interruption = new AbortController();
const interrupted = interruption.signal;

/** Ends the run in order; vitest alone would exit at once and leave behind what the tests started. */
const takeOverSignals = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal).on(signal, () => {
      interruption.abort(new EngineError('it was interrupted.', false));
    });
  }
};
takeOverSignals();

/** Runs a lane's tests against its engines, and ends whatever it started, however that goes. */
const runLane = async (lane: Lane): Promise<LaneResult> => {
  const start = performance.now();
  const engines: Engine[] = [];
  let outcome: Pick<LaneResult, 'passed' | 'failed' | 'problem' | 'skipped'>;
  try {
    for (const each of lane.engines) {
      const engine = await bringUp(each);
      engines.push(engine);
      interrupted.throwIfAborted();
      Object.assign(process.env, engine.variables);
    }
    outcome = { ...(await runTests(lane, engines)), skipped: false };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    outcome = { passed: 0, failed: error.missing ? 0 : 1, problem: error.message, skipped: error.missing };
  } finally {
    for (const engine of engines.toReversed()) await engine.down();
  }
  const seconds = Math.round((performance.now() - start) / 1000);
  const versions = engines.map(({ version }) => version);
  return {
    lane: lane.name,
    engines: lane.vendored === undefined ? versions : [...versions, lane.vendored],
    ...outcome,
    seconds,
  };
};

const runTests = async (
  { name, tests: path = `test/lanes/${name}.test.ts` }: Lane,
  engines: readonly Engine[],
): Promise<Pick<LaneResult, 'passed' | 'failed' | 'problem'>> => {
  const vitest = await createVitest({
    config: fileURLToPath(new URL('vitest.config.ts', import.meta.url)),
    watch: false,
    reporters: ['default'],
  });
  takeOverSignals();
  let problem: string | undefined;
  const stop = (reason: string): void => {
    // Once: at a second time vitest ends the tests before they have ended what they started.
    if (problem !== undefined) return;
    problem = reason;
    void vitest.cancelCurrentRun('test-failure');
  };
  const watch = setInterval(() => {
    const dead = engines.find(({ isAlive }) => !isAlive());
    if (interrupted.aborted) stop('it was interrupted.');
    else if (dead) stop(`${dead.version} ended half-way; its log is in test-results/external.`);
  }, 250);
  try {
    const { testModules } = await vitest.start([path]);
    const tests = testModules.flatMap(({ children }) => [...children.allTests()]);
    // What fails before, after or around the tests.
    const others = testModules.flatMap((each) => [each, ...each.children.allSuites()]);
    const failed = count(tests, 'failed') + others.filter((each) => each.errors().length > 0).length;
    const left = count(tests, 'skipped') + count(tests, 'pending');
    if (left > 0) problem ??= `${String(left)} tests did not run.`;
    return {
      passed: count(tests, 'passed'),
      failed: failed + Number(problem !== undefined),
      ...(problem !== undefined && { problem }),
    };
  } finally {
    clearInterval(watch);
    await vitest.close();
    // Tests that were cancelled do not end the tools they ran.
    if (problem !== undefined) await endDescendants();
  }
};

/** How many cases came out so; a test that stands for many says how many. */
const count = (tests: readonly TestCase[], state: ReturnType<TestCase['result']>['state']): number =>
  tests
    .filter((test) => test.result().state === state)
    .reduce((sum, test) => sum + (state === 'passed' ? (test.meta().cases ?? 1) : 1), 0);

const chosen = (names: readonly string[]): readonly Lane[] => {
  const unknown = names.find((name) => !lanes.some((lane) => lane.name === name));
  if (unknown !== undefined) {
    console.error(`There is no lane "${unknown}"; there are ${lanes.map(({ name }) => name).join(', ')}.`);
    process.exit(1);
  }
  return names.length === 0 ? lanes : lanes.filter(({ name }) => names.includes(name));
};

const summary = ({ lane, engines, passed, failed, problem, skipped, seconds }: LaneResult): string =>
  skipped
    ? `${lane}: skipped: ${problem ?? ''}`
    : `${lane}: ${String(passed)} passed, ${String(failed)} failed in ${String(seconds)} s` +
      (problem === undefined ? ` (${engines.join(', ') || 'no engine'})` : `: ${problem}`);

const results: LaneResult[] = [];
for (const lane of chosen(process.argv.slice(2))) {
  if (interrupted.aborted) break;
  const result = await runLane(lane);
  writeResult(result);
  results.push(result);
}
// Last, where they are not between the tests' own lines.
for (const result of results) console.log(summary(result));
if (interrupted.aborted || results.some(({ failed }) => failed > 0)) process.exitCode = 1;
