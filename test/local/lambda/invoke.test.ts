import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { lambdaFunction } from '../../../local/lambda/invoke.ts';

const warmUp = (): void => undefined;
const start = (handler: (event: unknown, context: unknown) => unknown, timeoutSeconds = 10) =>
  lambdaFunction('list-plants', { handler, warmUp }, timeoutSeconds).invoke;

const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => {
  logged.mockClear();
});

describe('a function on this machine', () => {
  it('receives the event and a context, and returns a result through JSON', async () => {
    const invoke = start((event, context) => ({ event, context, when: new Date(0), gone: undefined }));
    const result = await invoke({ a: 1, gone: undefined });
    expect(result).toMatchObject({ event: { a: 1 }, when: '1970-01-01T00:00:00.000Z' });
    expect(result).toHaveProperty('context.awsRequestId');
    expect(result).not.toHaveProperty('gone');
    expect(await start(() => undefined)({})).toBeNull();
  });

  it('gets its remaining time from the context', async () => {
    const remaining = z.object({ getRemainingTimeInMillis: z.custom<() => number>() });
    const invoke = start((_, context) => remaining.parse(context).getRemainingTimeInMillis());
    expect(await invoke({})).toBeGreaterThan(0);
    expect(await invoke({})).toBeLessThanOrEqual(10_000);
  });

  it.each<[string, (event: unknown) => unknown, RegExp]>([
    ['throws', () => Promise.reject(new Error('x')), /x$/],
    ['hangs', () => new Promise(() => undefined), /timed out/],
    ['returns more than 6 MB', () => '水'.repeat(2 * 1024 * 1024), /more than 6 MB/],
  ])('fails, and logs why, when it %s', async (_, handler, message) => {
    await expect(start(handler, 0.05)({})).rejects.toThrow(message);
    expect(logged.mock.calls.map(String)).toEqual([expect.stringMatching(message)]);
  });

  it('may return 6 MB', async () => {
    expect(await start(() => 'x'.repeat(6 * 1024 * 1024 - 2))({})).toHaveLength(6 * 1024 * 1024 - 2);
  });

  it.each(['handler', 'warmUp'])('is refused if it does not export %s', (name) => {
    const module = { handler: warmUp, warmUp, [name]: undefined };
    expect(() => lambdaFunction('list-plants', module, 10)).toThrow(
      'functions/list-plants/handler.ts: it must export the functions handler and warmUp.',
    );
  });
});
