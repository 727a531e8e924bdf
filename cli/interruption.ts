import { UserError } from '../terminal/user-error.ts';
import { toUserError } from './to-user-error.ts';

const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** A request to stop the command, such as Ctrl-C. It is listened for until the command ends. */
export interface Interruption extends Disposable {
  readonly signal: AbortSignal;
  /** The exit code that follows from it; undefined without a request to stop. */
  readonly exitCode: () => number | undefined;
}

/** Lets Ctrl-C stop the reading, so that writes in progress can finish. It can arrive twice, because npm passes it on. */
export const onInterruption = (): Interruption => {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const stop = (name: keyof typeof exitCodes): void => {
    exitCode ??= exitCodes[name];
    controller.abort();
  };
  const names = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, stop);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    [Symbol.dispose]: () => {
      for (const name of names) process.off(name, stop);
    },
  };
};

/**
 * Runs work in many steps that stays done as far as it came, and can be run again for the rest.
 * @param done what is done so far, such as "3 plants revoked"; undefined: nothing
 * @returns the exit code
 * @throws {UserError} that says what is done
 */
export const resumable = async (
  work: (signal: AbortSignal) => Promise<number>,
  done: () => string | undefined,
): Promise<number> => {
  using interruption = onInterruption();
  const { signal, exitCode } = interruption;
  try {
    return await work(signal);
  } catch (error) {
    const stopCode = exitCode();
    const soFar = done();
    if (stopCode !== undefined) {
      process.stderr.write(`Interrupted: ${soFar ?? 'nothing was changed'}. ${again}\n`);
      return stopCode;
    }
    const reason = toUserError(error);
    if (soFar === undefined || !(reason instanceof UserError)) throw reason;
    throw new UserError(`${reason.message} ${soFar}. ${again}`);
  }
};

const again = 'Run the same command again.';
