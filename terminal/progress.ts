import { count } from './count.ts';

/** Shows how much of a file has been read. */
export interface Progress {
  readonly update: (rows: number, bytesRead: number) => void;
  /** To be called before anything else is printed. */
  readonly stop: () => void;
}

/** Standard error, or a stand-in for it. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

const redrawsPerSecond = 10;
const linesPerFile = 10;
const rowsPerLine = 50_000;
const barWidth = 30;
const clearLine = '\r\u001b[K';

/**
 * On a terminal, a bar; elsewhere, a line for every 10 %. If the total is unknown, no bar, and a line for every 50,000 rows.
 * @param now milliseconds since any moment
 */
export const startProgress = (
  totalBytes: number | undefined,
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): Progress => {
  const isTerminal = stream.isTTY === true && process.env['TERM'] !== 'dumb';
  const start = now();
  let lastStep = 0;
  return {
    update: (rows, bytesRead) => {
      const seconds = (now() - start) / 1000;
      const share = totalBytes === undefined ? undefined : Math.min(bytesRead / totalBytes, 1);
      const lines = share === undefined ? rows / rowsPerLine : share * linesPerFile;
      const step = Math.floor(isTerminal ? seconds * redrawsPerSecond : lines);
      if (step <= lastStep) return;
      lastStep = step;
      const rate = `${count(rows, 'row')}, ${Math.round(rows / seconds).toLocaleString('en')} rows/s`;
      const percent = String(Math.floor((share ?? 0) * 100));
      const text =
        share === undefined ? rate : `${percent} %: ${rate}, ${duration(seconds / share - seconds)} left`;
      const bar = share === undefined ? '' : `${'='.repeat(share * barWidth).padEnd(barWidth, '-')} `;
      // If it wrapped, only its last line could be cleared.
      const drawn = (bar + text).slice(0, (stream.columns ?? 80) - 1);
      stream.write(isTerminal ? clearLine + drawn : `${text}\n`);
    },
    stop: () => {
      if (isTerminal) stream.write(clearLine);
    },
  };
};

const duration = (seconds: number): string =>
  seconds < 90 ? `${String(Math.ceil(seconds))} s` : `${String(Math.ceil(seconds / 60))} min`;
