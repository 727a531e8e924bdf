/** Runs tasks, several at a time. After a failure it starts no more. */
export interface TaskPool {
  /**
   * Starts a task, and waits while too many are running.
   * @throws the error of an earlier task
   */
  readonly start: (task: () => Promise<void>) => Promise<void>;
  /**
   * Waits for all tasks.
   * @throws the error of a task
   */
  readonly finish: () => Promise<void>;
}

export const taskPool = (maxRunning: number): TaskPool => {
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  const throwFailure = (): void => {
    if (failure !== undefined) throw failure.error;
  };
  return {
    start: async (task) => {
      throwFailure();
      const ended: Promise<void> = task()
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => running.delete(ended));
      running.add(ended);
      if (running.size >= maxRunning) await Promise.race(running);
    },
    finish: async () => {
      await Promise.all(running);
      throwFailure();
    },
  };
};
