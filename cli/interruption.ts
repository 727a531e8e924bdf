const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** A request to stop the command, such as Ctrl-C. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** The exit code that follows from it; undefined without a request to stop. */
  readonly exitCode: () => number | undefined;
}

/** Lets Ctrl-C stop the reading, so that writes in progress can finish. It can arrive twice, because npm passes it on. */
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
