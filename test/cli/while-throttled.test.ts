import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toUserError } from '../../cli/to-user-error.ts';
import { whileThrottled } from '../../cli/while-throttled.ts';

describe('a request that DynamoDB throttles', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Seconds until the request is no longer retried, if DynamoDB throttles it for `throttled` seconds. */
  const secondsOfRetries = async (throttled: number): Promise<{ seconds: number; result: string }> => {
    const start = performance.now();
    const seconds = (): number => (performance.now() - start) / 1000;
    const request = whileThrottled(() => {
      const error = new ThrottlingException({ message: 'No.', $metadata: {} });
      return seconds() < throttled ? Promise.reject(error) : Promise.resolve('done');
    });
    const ended = request.then(
      (result) => ({ seconds: seconds(), result }),
      (error: unknown) => ({ seconds: seconds(), result: toUserError(error).message }),
    );
    await vi.runAllTimersAsync();
    return ended;
  };

  it('is retried for three minutes, and then reported in a sentence', async () => {
    const { seconds, result } = await secondsOfRetries(Infinity);
    expect(result).toMatch(/^The table has throttled for three minutes\./);
    expect(seconds).toBeGreaterThanOrEqual(180);
    expect(seconds).toBeLessThan(181);
  });

  it('is retried within ten seconds of the end of the throttling', async () => {
    const { seconds, result } = await secondsOfRetries(170);
    expect(result).toBe('done');
    expect(seconds).toBeLessThan(180);
  });
});
