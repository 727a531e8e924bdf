import { describe, expect, it } from 'vitest';
import { readPace } from '../../../cli/table/read-pace.ts';

/** A clock that only the waits move, and `pass`. */
const paced = (unitsPerSecond: number) => {
  let now = 5000;
  const waits: number[] = [];
  const pace = readPace(
    unitsPerSecond,
    (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
    () => now,
  );
  const pass = (ms: number): void => {
    now += ms;
  };
  return { pace, waits, pass };
};

describe('the pace of reads', () => {
  it('waits as long as the units of a read take', async () => {
    const { pace, waits } = paced(500);
    for (const units of [128, 0.5, 0]) await pace(units);
    expect(waits).toEqual([256, 1]);
  });

  it('saves nothing up for a burst after a pause', async () => {
    const { pace, waits, pass } = paced(100);
    pass(60_000);
    for (const units of [10, 10]) await pace(units);
    expect(waits).toEqual([100, 100]);
  });

  it('is that of all reads together, when several are in progress', async () => {
    const waits: number[] = [];
    const pace = readPace(
      100,
      (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
      () => 0,
    );
    await Promise.all([pace(10), pace(10), pace(10)]);
    expect(waits).toEqual([100, 200, 300]);
  });
});
