/** The price of Lambda on arm64 in us-east-1 (docs/scale.md). */
const usdPerGbSecond = 0.0000133334;

/**
 * The price of the durations of a million requests, which Lambda rounds up to whole milliseconds.
 * Without the fee for a request, which is the same for every memory size.
 */
export const usdPerMillion = (billedMs: number, memoryMb: number): number =>
  billedMs * 1000 * (memoryMb / 1024) * usdPerGbSecond;
