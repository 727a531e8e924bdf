/** A function under load. */
export interface Target {
  /** Sends the request with this index, and checks its response. */
  readonly send: (index: number) => Promise<void>;
  readonly heap: () => Promise<number>;
  readonly end: () => Promise<void>;
}

const requests = Number(process.env['SOAK_REQUESTS'] ?? 10_000);
const parts = 50;

/**
 * Sends requests, and measures the heap after each part of them, when none is in flight.
 * @returns by how many bytes it grows in the second half; the first half warms up
 */
export const growthOf = async (name: string, { send, heap, end }: Target): Promise<number> => {
  const heaps: number[] = [];
  for (let sent = 0; heaps.length < parts;) {
    const next = ((heaps.length + 1) * requests) / parts;
    while (sent < next) await send(sent++);
    heaps.push(await heap());
  }
  await end();
  const first = Math.min(...heaps.slice(parts / 2));
  const last = Math.min(...heaps.slice(-parts / 10));
  console.log(`${name}: heap ${[first, last].map((bytes) => (bytes / 1e6).toFixed(2)).join(', ')} MB`);
  return last - first;
};
