/** A step after which what is tested and its model differ. */
export interface Difference {
  /** The number of steps up to it. */
  readonly steps: number;
  readonly error: unknown;
}

/** A history whose last step shows a difference. */
export interface Failure<Step> {
  readonly steps: readonly Step[];
  readonly error: unknown;
}

/**
 * Makes a failing history shorter and simpler, as long as it still fails.
 * @param run runs a history from a clean state; resolves to its first difference
 * @param simplifications make a step simpler; undefined: it cannot be
 */
export const shrink = async <Step>(
  history: readonly Step[],
  found: Difference,
  run: (steps: readonly Step[]) => Promise<Difference | undefined>,
  simplifications: readonly ((step: Step) => Step | undefined)[],
): Promise<Failure<Step>> => {
  let failure: Failure<Step> = { steps: history.slice(0, found.steps), error: found.error };
  const fails = async (steps: readonly Step[]): Promise<boolean> => {
    const difference = await run(steps);
    if (difference === undefined) return false;
    failure = { steps: steps.slice(0, difference.steps), error: difference.error };
    return true;
  };
  const leaveOut = async (size: number): Promise<void> => {
    for (let start = 0; start + size < failure.steps.length;) {
      if (!(await fails(failure.steps.toSpliced(start, size)))) start += size;
    }
  };
  const simplify = async (): Promise<void> => {
    for (let index = 0; index < failure.steps.length; index += 1) {
      for (const simplification of simplifications) {
        const step = failure.steps[index];
        const simpler = step === undefined ? undefined : simplification(step);
        if (simpler !== undefined) await fails(failure.steps.with(index, simpler));
      }
    }
  };
  for (let size = Math.ceil(found.steps / 2); size > 1; size = Math.floor(size / 2)) await leaveOut(size);
  // What is left out can make an earlier step unnecessary.
  for (let before: Failure<Step> | undefined; before !== failure;) {
    before = failure;
    await leaveOut(1);
    await simplify();
  }
  return failure;
};
