import { quartiles, rounded } from './statistics.ts';

/** Decimal places of a figure; more would only show noise. */
const digits: Readonly<Record<string, number>> = {
  coldRatio: 3,
  cpuRatio: 3,
  warmMs: 2,
  cpuMs: 2,
  billedMs: 2,
  usdPerMillion: 4,
  resultBytes: 0,
};

/** The median of every figure, and in `quartiles` the range of the middle half. */
export const summarize = (samples: readonly Readonly<Record<string, number>>[]): Record<string, unknown> => {
  const [first] = samples;
  if (first === undefined) throw new Error('There are no samples.');
  const figures = Object.keys(first).map((name) => {
    const { q1, median, q3 } = quartiles(samples.map((sample) => sample[name] ?? NaN));
    const write = (value: number): number => rounded(value, digits[name] ?? 1);
    return { name, middle: write(median), range: { q1: write(q1), q3: write(q3) } };
  });
  return {
    ...Object.fromEntries(figures.map(({ name, middle }) => [name, middle])),
    quartiles: Object.fromEntries(figures.map(({ name, range }) => [name, range])),
  };
};
