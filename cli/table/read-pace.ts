import type { Wait } from './patience.ts';

/** To be called after a read with its cost in read units; waits until the next read may start. */
export type ReadPace = (units: number) => Promise<void>;

/** For reads whose cost is bounded. */
export const unpaced: ReadPace = () => Promise.resolve();

/**
 * Spreads reads over time, however many are in progress.
 * @param now milliseconds since any moment
 */
export const readPace = (
  unitsPerSecond: number,
  wait: Wait,
  now: () => number = () => performance.now(),
): ReadPace => {
  /** When all units until now are paid. */
  let paid = now();
  return async (units) => {
    paid = Math.max(paid, now()) + (units / unitsPerSecond) * 1000;
    const ms = paid - now();
    if (ms > 0) await wait(ms);
  };
};
