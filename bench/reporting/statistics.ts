/** Decimal places of a figure; more would only show noise. Default: 1. */
const digits: Readonly<Record<string, number>> = {
  coldRatio: 3,
  warmMs: 2,
  cpuMs: 2,
  billedMs: 2,
  usdPerMillion: 4,
  resultBytes: 0,
};

/** The median of every figure, and in `quartiles` the range of its middle half. */
export const summarize = (samples: readonly Readonly<Record<string, number>>[]): Record<string, unknown> => {
  const [first] = samples;
  if (first === undefined) throw new Error('There are no samples.');
  const figures = Object.keys(first).map((name) => {
    const values = samples.map((sample) => sample[name] ?? NaN);
    const rounded = (share: number): number => Number(quantile(values, share).toFixed(digits[name] ?? 1));
    return { name, middle: rounded(0.5), range: { q1: rounded(0.25), q3: rounded(0.75) } };
  });
  return {
    ...Object.fromEntries(figures.map(({ name, middle }) => [name, middle])),
    quartiles: Object.fromEntries(figures.map(({ name, range }) => [name, range])),
  };
};

/** By linear interpolation between the two nearest values. */
const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? NaN;
  const above = sorted[Math.ceil(position)] ?? NaN;
  return below + (above - below) * (position - Math.floor(position));
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
