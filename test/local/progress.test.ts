import { afterEach, expect, it, vi } from 'vitest';
import { sayProgress } from '../../local/progress.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a slow start says at once and every two seconds what it waits for, and nothing once it is ready', () => {
  vi.useFakeTimers();
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  const end = sayProgress('Synthesizing');
  expect(printed.mock.calls).toEqual([['Synthesizing…']]);
  vi.advanceTimersByTime(5000);
  end();
  vi.advanceTimersByTime(5000);
  expect(printed.mock.calls.slice(1)).toEqual([['Synthesizing, for 2 s…'], ['Synthesizing, for 4 s…']]);
});
