/** What was observed with one fault. */
export interface Observation {
  readonly side: string;
  readonly status: number;
  /** A summary of the body. */
  readonly response: string;
  /** The longest time to a response while the fault lasted. */
  readonly seconds: number;
  /** The time from the end of the fault to the first good response, and the number of its request. */
  readonly recovery: { readonly seconds: number; readonly request: number };
}

/** The rows in docs/faults.md: place, response, number of faults that cause it, and the longest times. */
export const outcomes = (observations: readonly Observation[]): readonly string[] => {
  const byOutcome = Map.groupBy(
    observations,
    ({ side, status, response }) => `| ${side.replace(/,.*/, '')} | ${String(status)} ${response}`,
  );
  return [...byOutcome].map(([outcome, seen]) => {
    const seconds = Math.max(...seen.map((each) => each.seconds)).toFixed(1);
    const recovery = Math.max(...seen.map((each) => each.recovery.seconds)).toFixed(1);
    return `${outcome} | ${String(seen.length)} | ${seconds} s | ${recovery} s |`;
  });
};

/** The rows of a table without their times. */
export const outcomesIn = (table: string): readonly string[] =>
  [...table.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) =>
    row
      .split('|')
      .slice(0, 3)
      .map((cell) => cell.trim())
      .join(' | '),
  );
