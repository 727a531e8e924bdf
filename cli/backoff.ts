import { setTimeout } from 'node:timers/promises';
import { UserError } from './terminal/user-error.ts';

/** How long a request is retried while DynamoDB accepts nothing of it. */
const patienceMs = 3 * 60_000;
const firstPauseMs = 50;
const longestPauseMs = 5000;

/**
 * Starts the backoff of one request that DynamoDB may throttle.
 * @returns a function to await after each throttled attempt, with whether DynamoDB accepted a part of it; it
 * throws a `UserError` when DynamoDB has accepted nothing for three minutes
 */
export const startBackoff = (
  sleep: (ms: number) => Promise<unknown> = setTimeout,
): ((hasProgressed: boolean) => Promise<void>) => {
  let [lastProgress, pauseMs] = [performance.now(), firstPauseMs];
  return async (hasProgressed) => {
    if (hasProgressed) [lastProgress, pauseMs] = [performance.now(), firstPauseMs];
    if (performance.now() - lastProgress > patienceMs)
      throw new UserError('The table has throttled for three minutes. Try again later, or raise its limits.');
    // Jitter, so that requests that were throttled together are not repeated together.
    await sleep(pauseMs * (0.5 + Math.random()));
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  };
};
