import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, it, vi } from 'vitest';
import { toUserError } from '../../cli/aws-error-messages.ts';
import { retryUnprocessed } from '../../cli/retry-unprocessed.ts';

const requests = Array.from({ length: 25 }, (_, index) => index);

beforeEach(() => {
  vi.useFakeTimers();
  return () => {
    vi.useRealTimers();
  };
});

/**
 * Writes all requests to a table that processes as many of them in each attempt as `processed` returns, or
 * throttles the attempt.
 */
const writeTo = async (processed: (attempt: number, seconds: number) => number | 'throttled') => {
  const start = performance.now();
  const written: number[] = [];
  let attempts = 0;
  const writing = retryUnprocessed(requests, (left) => {
    attempts += 1;
    const count = processed(attempts, (performance.now() - start) / 1000);
    if (count === 'throttled')
      return Promise.reject(new ThrottlingException({ message: 'No.', $metadata: {} }));
    written.push(...left.slice(0, count));
    return Promise.resolve(left.slice(count));
  }).then(() => undefined, toUserError);
  await vi.runAllTimersAsync();
  const error = await writing;
  return { error, written, attempts, seconds: (performance.now() - start) / 1000 };
};

it('waits for less than a second in all if each response has processed one request', async () => {
  const { error, written, attempts, seconds } = await writeTo(() => 1);
  expect([error, written, attempts]).toEqual([undefined, requests, 25]);
  expect(seconds).toBeLessThan(1);
});

it.each<[string, (attempt: number, seconds: number) => number | 'throttled']>([
  ['one request in twenty responses', (attempt) => Number(attempt % 20 === 0)],
  ['one request after twenty throttled attempts', (attempt) => (attempt % 20 === 0 ? 1 : 'throttled')],
])('goes on for longer than three minutes while the table processes %s', async (_, processed) => {
  const { error, written, seconds } = await writeTo(processed);
  expect([error, written]).toEqual([undefined, requests]);
  expect(seconds).toBeGreaterThan(180);
});

it.each<[string, number | 'throttled']>([
  ['processes nothing', 0],
  ['throttles each attempt', 'throttled'],
])('gives up three minutes after the last progress if the table then %s', async (_, then) => {
  const { error, written, seconds } = await writeTo((attempt) => (attempt <= 2 ? 10 : then));
  expect(String(error)).toMatch(/Check the limits of the table/);
  expect(written).toHaveLength(20);
  expect(Math.round(seconds)).toBe(180);
});
