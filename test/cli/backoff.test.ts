import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startBackoff } from '../../cli/backoff.ts';

describe('a request that DynamoDB throttles', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The seconds until the backoff gives up, when each attempt takes `attemptMs`. */
  const secondsUntilGivenUp = async (
    attemptMs: number,
    hasProgressed: (second: number) => boolean = () => false,
  ): Promise<number> => {
    const start = performance.now();
    const seconds = (): number => (performance.now() - start) / 1000;
    const wait = startBackoff((ms) => Promise.resolve(vi.advanceTimersByTime(ms)));
    const attempts = async (): Promise<never> => {
      for (;;) {
        vi.advanceTimersByTime(attemptMs);
        await wait(hasProgressed(seconds()));
      }
    };
    await expect(attempts()).rejects.toThrow('throttled for three minutes');
    return seconds();
  };

  it.each([1, 100, 10_000])(
    'is retried for three minutes, when an attempt takes %d ms',
    async (attemptMs) => {
      const seconds = await secondsUntilGivenUp(attemptMs);
      expect(seconds).toBeGreaterThan(180);
      expect(seconds).toBeLessThan(180 + 7.5 + attemptMs / 1000);
    },
  );

  it('is retried for three minutes from the last time that a part of it was accepted', async () => {
    const seconds = await secondsUntilGivenUp(100, (second) => second < 600);
    expect(seconds).toBeGreaterThan(600 + 170);
    expect(seconds).toBeLessThan(600 + 190);
  });
});
