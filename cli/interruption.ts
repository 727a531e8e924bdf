const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** What becomes of a command that is told to end. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** What the process then ends with; undefined unless it was told to. */
  readonly exitCode: () => number | undefined;
}

/** Lets Ctrl-C stop the reading, so that what is under way can end well. It may come twice: npm sends it on. */
export const onInterruption = (): Interruption => {
  const controller = new AbortController();
  let exitCode: number | undefined;
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      exitCode ??= exitCodes[name];
      controller.abort();
    });
  }
  return { signal: controller.signal, exitCode: () => exitCode };
};
