import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type ProgressStream, startProgress } from '../../terminal/progress.ts';

/** A stream that records its output. */
const recording = (isTTY: boolean): { readonly stream: ProgressStream; readonly output: () => string } => {
  let output = '';
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      output += chunk.toString();
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 100 }), output: () => output };
};

/** A clock that advances by a second at each call. */
const clock = (): (() => number) => {
  let now = 0;
  return () => (now += 1000);
};

describe('progress', () => {
  it('is a line for every 10 % with rate and time left when the output is not a terminal', () => {
    const { stream, output } = recording(false);
    const progress = startProgress(1000, stream, clock());
    progress.update(100, 99);
    progress.update(200, 200);
    progress.update(300, 290);
    progress.stop();
    expect(output()).toBe('20 %: 200 rows, 100 rows/s, 8 s left\n');
  });

  it('is a line for every 50,000 rows when the total is unknown', () => {
    const { stream, output } = recording(false);
    const progress = startProgress(undefined, stream, clock());
    progress.update(49_900, 1);
    progress.update(60_000, 2);
    progress.stop();
    expect(output()).toBe('60,000 rows, 30,000 rows/s\n');
  });

  it.for([
    ['a bar', 1000, /=+-+ 50 %, 500 rows, [\d,]+ rows\/s, \d+ s left/],
    ['the number of rows when the total is unknown', undefined, /500 rows, [\d,]+ rows\/s/],
  ] as const)('is %s on a terminal, without colours', ([, total, drawn]) => {
    const { stream, output } = recording(true);
    const progress = startProgress(total, stream, clock());
    progress.update(500, 500);
    progress.stop();
    expect(stripVTControlCharacters(output())).toMatch(drawn);
    // Colours are SGR sequences.
    expect(output()).not.toMatch(/\u001b\[[\d;]*m/);
  });
});
