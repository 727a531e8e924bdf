/** What was observed with one fault. */
export interface Observation {
  readonly side: string;
  readonly fault: string;
  readonly status: number;
  /** A summary of the body. */
  readonly response: string;
  /** The longest time to a response while the fault lasted. */
  readonly seconds: number;
  /** The time from the end of the fault to the first good response, and the number of the request that got it. */
  readonly recovery: { readonly seconds: number; readonly request: number };
}

const inSeconds = (seconds: number): string => `${seconds.toFixed(1)} s`;

/** An observation as a row of the table in docs/faults.md. */
export const rowOf = ({ side, fault, status, response, seconds, recovery }: Observation): string =>
  `| ${side} | ${fault} | ${String(status)} | ${response} | ${inSeconds(seconds)} | ${inSeconds(recovery.seconds)}, request ${String(recovery.request)} |`;

/** The rows of a table without their times. */
export const outcomesIn = (table: string): readonly string[] =>
  [...table.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) =>
    row
      .split('|')
      .slice(0, 4)
      .map((cell) => cell.trim())
      .join(' | '),
  );
