import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import type { PlantsCommand } from './plants-command.ts';

/**
 * Starts a command again and again, and kills it at random moments, the early ones first: late ones could hide a loss.
 * @param whole runs the command on other data to its end, which shows how long that takes
 * @param look what must hold after each kill
 * @returns how often it was killed before it ended
 */
export const killAtRandomMoments = async (
  kills: number,
  whole: () => Promise<unknown>,
  start: () => PlantsCommand,
  look: () => Promise<void> = () => Promise.resolve(),
): Promise<number> => {
  const started = performance.now();
  await whole();
  const duration = performance.now() - started;
  const seed = Math.floor(Math.random() * 2 ** 31);
  const moments = fc
    .sample(fc.noBias(fc.double({ min: 0.2, max: 1, noNaN: true })), { seed, numRuns: kills })
    .toSorted((a, b) => a - b);
  let killed = 0;
  for (const moment of moments) {
    const { process: child, ended } = start();
    await setTimeout(moment * duration);
    child.kill('SIGKILL');
    await ended;
    if (child.signalCode === 'SIGKILL') killed += 1;
    await look();
  }
  console.log(
    `seed ${String(seed)}, killed after (of 1): ${moments.map((each) => each.toFixed(2)).join(' ')}`,
  );
  return killed;
};
