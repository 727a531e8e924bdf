import { SingleBar } from 'cli-progress';
import { count } from './count.ts';

/** Tells how far a file is read. */
export interface Progress {
  readonly update: (rows: number, bytesRead: number) => void;
  /** Before anything else is printed. */
  readonly stop: () => void;
}

/** Standard error, or what stands for it. */
export type ProgressStream = NodeJS.WritableStream & { readonly isTTY?: boolean };

/** Rows from one line to the next, where no total is known. */
const rowsPerLine = 50_000;
const percentPerLine = 10;

/**
 * A bar on a terminal; elsewhere a line for every 10 %, or for so many rows where no total is known.
 * @param now milliseconds since any moment
 */
export const startProgress = (
  totalBytes: number | undefined,
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): Progress => {
  const start = now();
  const figures = (rows: number, bytesRead: number) => {
    const seconds = (now() - start) / 1000;
    const done = totalBytes === undefined || totalBytes === 0 ? undefined : bytesRead / totalBytes;
    return {
      percent: done === undefined ? undefined : Math.floor(done * 100),
      text: [
        count(rows, 'row'),
        `${Math.round(seconds > 0 ? rows / seconds : 0).toLocaleString('en')} rows/s`,
        ...(done === undefined || done === 0 ? [] : [`${duration((seconds * (1 - done)) / done)} left`]),
      ].join(', '),
    };
  };
  if (stream.isTTY === true && process.env['TERM'] !== 'dumb') return bar(figures, stream);
  let linesBefore = 0;
  return {
    update: (rows, bytesRead) => {
      const { percent, text } = figures(rows, bytesRead);
      const lines = Math.floor(percent === undefined ? rows / rowsPerLine : percent / percentPerLine);
      if (lines <= linesBefore) return;
      linesBefore = lines;
      stream.write(percent === undefined ? `${text}\n` : `${String(lines * percentPerLine)} %: ${text}\n`);
    },
    stop: () => undefined,
  };
};

const bar = (
  figures: (
    rows: number,
    bytesRead: number,
  ) => { readonly percent: number | undefined; readonly text: string },
  stream: ProgressStream,
): Progress => {
  const drawn = new SingleBar({
    stream,
    format: figures(0, 0).percent === undefined ? '{text}' : '{bar} {percentage} %, {text}',
    barsize: 30,
    clearOnComplete: true,
  });
  drawn.start(100, 0, { text: count(0, 'row') });
  return {
    update: (rows, bytesRead) => {
      const { percent = 0, text } = figures(rows, bytesRead);
      drawn.update(percent, { text });
    },
    stop: () => {
      drawn.stop();
    },
  };
};

const duration = (seconds: number): string =>
  seconds < 90 ? `${String(Math.ceil(seconds))} s` : `${String(Math.ceil(seconds / 60))} min`;
