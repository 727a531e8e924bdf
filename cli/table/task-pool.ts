/** Runs tasks, several at a time. After a failure it starts no more. */
export interface TaskPool {
  /**
   * Waits while too many tasks are running, and starts one.
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
      // Several callers wait for the same task: only the first of them may start another when it has ended.
      while (running.size >= maxRunning) await Promise.race(running);
      throwFailure();
      const ended: Promise<void> = task()
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => running.delete(ended));
      running.add(ended);
    },
    finish: async () => {
      await Promise.all(running);
      throwFailure();
    },
  };
};
