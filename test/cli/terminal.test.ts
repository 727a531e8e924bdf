import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startProgress } from '../../cli/progress.ts';
import { escaped } from '../../cli/terminal/style.ts';

describe('progress', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** What is written while 100 items a second are done for 25 s. */
  const written = (isTTY: boolean): readonly string[] => {
    const lines: string[] = [];
    const stream = {
      isTTY,
      write: (text: string): boolean => lines.push(text) > 0,
    };
    const progress = startProgress(5000, stream);
    for (let second = 0; second < 25; second += 1) {
      vi.advanceTimersByTime(1000);
      progress(100);
    }
    progress();
    return lines;
  };

  it('is a line that is rewritten and then cleared on a terminal', () => {
    const lines = written(true);
    expect([lines.length, lines[24], lines[25]]).toEqual([26, '\r\u001b[K2,500 of 5,000', '\r\u001b[K']);
  });

  it('is a line every ten seconds elsewhere', () => {
    expect(written(false)).toEqual(['1,100 of 5,000\n', '2,200 of 5,000\n', '']);
  });
});

describe('a text for a terminal', () => {
  it('has escapes as in JSON for control and invisible characters only', () => {
    const hidden = '\u009b\u202e\u2028\u2029\u200b\u{e0001}\ud800\u0007\r\u001b\u007f';
    expect(escaped(hidden)).toMatch(/^(\\u[0-9a-f]{4}){12}$/);
    expect(JSON.parse(`"${escaped(hidden)}"`)).toBe(hidden);
    expect(escaped('Aloë 🌵 水\n"a b"')).toBe('Aloë 🌵 水\n"a b"');
  });

  it('has no colours in a pipe', () => {
    const program = `import('./cli/terminal/style.ts').then(({ styled }) => console.log(styled('red', 'x')))`;
    const output = execFileSync(process.execPath, ['-e', program], { env: { ...process.env, NO_COLOR: '' } });
    expect(output.toString()).toBe('x\n');
  });
});
