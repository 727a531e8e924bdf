/** How much of some work is done. */
export interface Progress {
  readonly add: (items: number) => void;
  readonly done: () => number;
  /** To be called before anything else is printed. */
  readonly stop: () => void;
}

/** Shows progress: on a terminal as one line that is rewritten, elsewhere as a line every ten seconds. */
export const startProgress = (
  total: number,
  stream: NodeJS.WriteStream,
  now = () => performance.now(),
): Progress => {
  const [intervalMs, clear, end] = stream.isTTY ? [100, '\r\u001b[K', ''] : [10_000, '', '\n'];
  let [done, last] = [0, now()];
  return {
    add: (items) => {
      done += items;
      if (now() - last < intervalMs) return;
      last = now();
      const percent = String(Math.floor((100 * done) / total));
      stream.write(
        `${clear}${percent} %: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}${end}`,
      );
    },
    done: () => done,
    stop: () => stream.write(clear),
  };
};
