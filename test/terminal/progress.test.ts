import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type ProgressStream, startProgress } from '../../terminal/progress.ts';

/** Keeps what is written to it. */
const recording = (
  isTTY: boolean,
  columns = 100,
): { readonly stream: ProgressStream; readonly output: () => string } => {
  let output = '';
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      output += chunk.toString();
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns }), output: () => output };
};

/** A clock that advances by so many milliseconds each time it is read. */
const clock = (step = 1000): (() => number) => {
  let now = 0;
  return () => (now += step);
};

describe('progress', () => {
  it('prints a line for every 10 %, with rate and time left, if there is no terminal', () => {
    const { stream, output } = recording(false);
    const progress = startProgress(1000, stream, clock());
    progress.update(100, 99);
    progress.update(200, 200);
    progress.update(300, 290);
    progress.stop();
    expect(output()).toBe('20 %: 200 rows, 100 rows/s, 8 s left\n');
  });

  it('prints a line for every 50,000 rows if the total is unknown', () => {
    const { stream, output } = recording(false);
    const progress = startProgress(undefined, stream, clock());
    progress.update(49_900, 1);
    progress.update(60_000, 2);
    progress.stop();
    expect(output()).toBe('60,000 rows, 30,000 rows/s\n');
  });

  it.for([
    ['a bar', 1000, /={15}-{15} 50 %: 500 rows, [\d,]+ rows\/s, \d+ s left/],
    ['the number of rows if the total is unknown', undefined, /^\r500 rows, [\d,]+ rows\/s/],
  ] as const)('shows %s on a terminal, without colours, and clears it', ([, total, drawn]) => {
    const { stream, output } = recording(true);
    const progress = startProgress(total, stream, clock());
    progress.update(500, 500);
    progress.stop();
    expect(stripVTControlCharacters(output())).toMatch(drawn);
    // Colours are SGR sequences.
    expect(output()).not.toMatch(/\u001b\[[\d;]*m/);
    expect(output()).toMatch(/\r\u001b\[K$/);
  });

  it('does not wrap on a narrow terminal', () => {
    const { stream, output } = recording(true, 40);
    startProgress(1000, stream, clock()).update(500, 500);
    expect(stripVTControlCharacters(output()).trim()).toHaveLength(39);
  });

  it('is drawn ten times a second at most', () => {
    const { stream, output } = recording(true);
    const progress = startProgress(undefined, stream, clock(60));
    for (let rows = 1; rows <= 5; rows += 1) progress.update(rows, rows);
    expect(output().match(/rows?,/g)).toHaveLength(3);
  });
});
