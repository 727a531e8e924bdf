import fc from 'fast-check';
import { type Failure, shrink } from '../history/shrink.ts';
import { histories } from './arbitrary-steps.ts';
import { runHistory } from './history.ts';
import type { Store } from './real-tables.ts';
import { simplifications } from './simplifications.ts';
import { type Step, stepText } from './steps.ts';

/** How often each kind of command ran. */
export type Figures = ReadonlyMap<string, number>;

export const sumOf = (figures: Figures): number => figures.values().reduce((sum, each) => sum + each, 0);

/**
 * Runs random histories, one for each seed from the first on.
 * @param wanted at least this many commands
 * @throws {Error} when a store and the model differ, with a short history that shows it
 */
export const checkHistories = async (store: Store, wanted: number, firstSeed: number): Promise<Figures> => {
  const figures = new Map<string, number>();
  for (let seed = firstSeed; sumOf(figures) < wanted; seed += 1) {
    const [steps = []] = fc.sample(histories, { seed, numRuns: 1 });
    const difference = await runHistory(store, steps, (kind) => {
      figures.set(kind, (figures.get(kind) ?? 0) + 1);
    });
    if (difference === undefined) continue;
    const failure = await shrink(steps, difference, (shorter) => runHistory(store, shorter), simplifications);
    throw new Error(reportOf(failure, difference.steps, seed), { cause: failure.error });
  }
  return figures;
};

const reportOf = ({ steps, error }: Failure<Step>, before: number, seed: number): string =>
  [
    `The store and the model differ at the end of this history (${String(before)} steps before shrinking):`,
    ...steps.map((step, index) => `${String(index + 1)}. ${stepText(step)}`),
    error instanceof Error ? error.message : String(error),
    `Replay it: OPERATORS_SEED=${String(seed)} OPERATORS_COMMANDS=1 npm run test:external -- operators`,
  ].join('\n');
