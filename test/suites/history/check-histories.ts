import fc from 'fast-check';
import { histories } from './arbitrary-steps.ts';
import type { Deployment } from './deployments.ts';
import { type Count, runHistory } from './history.ts';
import { type Failure, shrink } from './shrink.ts';
import { simplifications } from './simplifications.ts';
import type { Step } from './steps.ts';

/** What the histories held. */
export interface Figures {
  readonly histories: number;
  /** How many of each kind. */
  readonly steps: ReadonlyMap<string, number>;
  readonly responses: ReadonlyMap<string, number>;
}

export const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, each) => sum + each, 0);

/**
 * Runs random histories, one for each seed from the first on.
 * @param wanted at least this many steps
 * @throws {Error} when the service and the model differ, with a short history that shows it
 */
export const checkHistories = async (
  deployment: Deployment,
  wanted: number,
  firstSeed: number,
): Promise<Figures> => {
  const counts = { step: new Map<string, number>(), response: new Map<string, number>() };
  const count: Count = (what, kind) => {
    counts[what].set(kind, (counts[what].get(kind) ?? 0) + 1);
  };
  let seed = firstSeed;
  for (; sumOf(counts.step) < wanted; seed += 1) {
    const [steps = []] = fc.sample(histories, { seed, numRuns: 1 });
    const difference = await runHistory(deployment, steps, count);
    if (difference === undefined) continue;
    const failure = await shrink(
      steps,
      difference,
      (shorter) => runHistory(deployment, shorter),
      simplifications,
    );
    throw new Error(reportOf(failure, steps.length, seed), { cause: failure.error });
  }
  return {
    histories: seed - firstSeed,
    steps: counts.step,
    responses: counts.response,
  };
};

const reportOf = ({ steps, error }: Failure<Step>, before: number, seed: number): string =>
  [
    `The service and the model differ at the end of this history (${String(before)} steps before shrinking):`,
    ...steps.map((step, index) => `${String(index + 1)}. ${JSON.stringify(step)}`),
    error instanceof Error ? error.message : String(error),
    `Replay it: HISTORY_SEED=${String(seed)} HISTORY_STEPS=1 npm run test:suites -- history`,
  ].join('\n');
