import { setTimeout } from 'node:timers/promises';
import { UserError } from '../../terminal/user-error.ts';

/** Consecutive attempts in which the store accepts nothing: two to four minutes. */
const maxFruitlessAttempts = 30;
const firstWaitMs = 50;
const maxWaitMs = 10_000;

/** Waits between attempts while the store throttles. `accepted` begins the attempts anew. */
export interface Patience {
  /** @throws {UserError} when the store has accepted nothing for too long */
  readonly wait: () => Promise<void>;
  readonly accepted: () => void;
}

/** Waits, in milliseconds. */
export type Wait = (ms: number) => Promise<unknown>;

/** A wait that ends with the signal's reason when the command is interrupted. */
export const waitUntilAborted =
  (signal: AbortSignal): Wait =>
  (ms) =>
    setTimeout(ms, undefined, { signal });

export const patience = (wait: Wait): Patience => {
  let attempts = 0;
  return {
    wait: async () => {
      attempts += 1;
      if (attempts === maxFruitlessAttempts)
        throw new UserError('The table throttles for minutes. Try again later, or raise its limits.');
      const ms = Math.min(maxWaitMs, firstWaitMs * 2 ** attempts);
      // Jitter, so that requests that were throttled together are not retried together.
      await wait(ms / 2 + (Math.random() * ms) / 2);
    },
    accepted: () => {
      attempts = 0;
    },
  };
};
