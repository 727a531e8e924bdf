/** Of Lambda on arm64 in us-east-1, from docs/scale.md (source P2). */
const usd = { perGbSecond: 0.0000133334, perMillionRequests: 0.2 } as const;

/** The price of a million requests, whose durations Lambda rounds up to whole milliseconds. */
export const usdPerMillion = (billedMs: number, memoryMb: number): number =>
  usd.perMillionRequests + billedMs * 1000 * (memoryMb / 1024) * usd.perGbSecond;
