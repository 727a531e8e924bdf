/** The time in which requests are answered, and the days over which the budgets are counted. docs/slo.md has the objective. */
export const objective = { milliseconds: 300, days: 30 } as const;

/** How many percent of the requests may miss the objective, and metric math for how many do. */
export const budgets = [
  { name: 'Availability', percent: 0.1, missed: '100 * (serverErrors + FILL(retryable, 0)) / requests' },
  { name: 'Latency', percent: 1, missed: '100 - fast' },
] as const;

/**
 * Pairs of windows. An alarm goes off when a budget burns at this multiple of the even rate in both: 2 % of the budget in an
 * hour, 5 % in six (SRE Workbook, “Alerting on SLOs”).
 */
export const burns = [
  { id: 'FastBurn', rate: 14.4, shortMinutes: 5, longMinutes: 60 },
  { id: 'SlowBurn', rate: 6, shortMinutes: 30, longMinutes: 360 },
] as const;
