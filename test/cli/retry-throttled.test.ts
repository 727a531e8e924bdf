import { ThrottlingException } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished, vi } from 'vitest';
import { toUserError } from '../../cli/aws-error-messages.ts';
import { retryThrottled } from '../../cli/retry-throttled.ts';

it('retries a throttled request for three minutes, and then fails', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const start = performance.now();
  const throttled = retryThrottled(() =>
    Promise.reject(new ThrottlingException({ message: 'No.', $metadata: {} })),
  );
  const message = throttled.catch((error: unknown) => String(toUserError(error)));
  await vi.runAllTimersAsync();
  expect(await message).toMatch(/^UserError: No\. \(ThrottlingException\)\. Check the limits of the table;/);
  expect(Math.round((performance.now() - start) / 1000)).toBe(180);
});
