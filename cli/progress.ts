type Stream = Pick<NodeJS.WriteStream, 'isTTY'> & { write(text: string): boolean };

/**
 * Shows progress: on a terminal a line that is rewritten, elsewhere a line every ten seconds.
 * @returns a function that adds a number of finished items; without one, it clears the line
 */
export const startProgress = (total: number, stream: Stream): ((items?: number) => void) => {
  const [intervalMs, clear, end] = stream.isTTY ? [100, '\r\u001b[K', ''] : [10_000, '', '\n'];
  let [done, last] = [0, performance.now()];
  return (items = 0) => {
    done += items;
    if (items === 0) stream.write(clear);
    else if (performance.now() - last > intervalMs) {
      last = performance.now();
      stream.write(`${clear}${done.toLocaleString('en')} of ${total.toLocaleString('en')}${end}`);
    }
  };
};
