/** Default quotas and fixed limits; docs/scale.md has the sources. */
export const limits = {
  gatewayPerSecond: 10_000,
  /** In the 13 Regions that section 6 lists. */
  gatewayPerSecondSmallRegions: 2500,
  lambdaConcurrency: 1000,
  /** Lambda's invocations per second for each unit of its concurrency quota. */
  lambdaPerConcurrency: 10,
  /** What each function may add every 10 s: environments, or requests per second. */
  scalingEnvironments: 1000,
  scalingPerSecond: 10_000,
  scalingIntervalSeconds: 10,
  tableUnits: 40_000,
  newTableUnits: 12_000,
  partitionUnits: 3000,
  responseBytes: 6 * 1024 * 1024,
} as const;

/** Prices in US dollars, us-east-1. A tier is the amount where it ends, and the price of one of it. */
export const prices = {
  million: {
    httpApi: [
      [300, 1],
      [Infinity, 0.9],
    ],
    lambdaRequests: 0.2,
    readUnits: 0.125,
    writeUnits: 0.625,
  },
  /** Lambda on arm64. */
  gbSecond: [
    [7.5e9, 0.0000133334],
    [18.75e9, 0.0000133334 * 0.9],
    [Infinity, 0.0000133334 * 0.8],
  ],
  gb: {
    accessLog: 0.5,
    lambdaLog: [
      [10_000, 0.5],
      [30_000, 0.25],
      [50_000, 0.1],
      [Infinity, 0.05],
    ],
    transfer: [
      [10_000, 0.09],
      [50_000, 0.085],
      [150_000, 0.07],
      [Infinity, 0.05],
    ],
    logStorage: 0.03,
    tableStorage: 0.25,
  },
  provisionedReadUnitHour: 0.00013,
} as const;

/** Amounts and what one of them costs. */
export type Tiers = readonly (readonly [end: number, usd: number])[];

/** The price of an amount that passes through tiers. */
export const tiered = (amount: number, tiers: Tiers): number =>
  tiers.reduce((sum, [end, usd], tier) => {
    const start = tiers[tier - 1]?.[0] ?? 0;
    return sum + Math.max(0, Math.min(amount, end) - start) * usd;
  }, 0);
