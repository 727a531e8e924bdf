/** The median of measurements, and the range of their middle half. */
export interface Quartiles {
  readonly q1: number;
  readonly median: number;
  readonly q3: number;
}

/** Quartiles by linear interpolation between the two nearest values. */
export const quartiles = (values: readonly number[]): Quartiles => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const position = (sorted.length - 1) * share;
    const below = sorted[Math.floor(position)] ?? NaN;
    const above = sorted[Math.ceil(position)] ?? NaN;
    return below + (above - below) * (position - Math.floor(position));
  };
  return { q1: at(0.25), median: at(0.5), q3: at(0.75) };
};

export const median = (values: readonly number[]): number => quartiles(values).median;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Rounds a value; more digits would only show noise. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
