/** Shows progress: on a terminal a line that is rewritten, elsewhere a line every ten seconds. `stop` clears the line. */
export const startProgress = (total: number, stream: NodeJS.WriteStream, now = () => performance.now()) => {
  const [intervalMs, clear, end] = stream.isTTY ? [100, '\r\u001b[K', ''] : [10_000, '', '\n'];
  let [done, last] = [0, now()];
  return {
    add: (items: number): void => {
      done += items;
      if (now() - last < intervalMs) return;
      last = now();
      const percent = String(Math.floor((100 * done) / total));
      stream.write(
        `${clear}${percent} %: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}${end}`,
      );
    },
    stop: () => stream.write(clear),
  };
};
