import { callerOf, type ListSize } from './backend/plants.ts';
import type { Harness } from './harness.ts';
import { listEvent } from './lambda/events.ts';
import { startEnvironment } from './lambda/execution-environment.ts';
import { median, summarize } from './reporting/statistics.ts';
import { type ListCost, listCostSchema, type Results } from './results.ts';
import { inRounds } from './rounds.ts';

/** Numbers of plants. */
export const sizes = [20, 1000, 4000, 30_000];
const principalCounts = [1, 10, 100];

const lists: readonly Required<ListSize>[] = [
  ...sizes.flatMap((plants) => principalCounts.map((principals) => ({ plants, principals, shared: false }))),
  { plants: 1000, principals: 100, shared: true },
];

/** Every list with and without compression. */
const loads = lists.flatMap((list) =>
  (['identity', 'br'] as const).map((encoding) => {
    const load = { ...list, encoding };
    return { ...load, name: JSON.stringify(load) };
  }),
);

/** Always the same number, because V8 optimizes code that runs often. */
const requests = 20;

/** Measures the product's lists by their size, and counts their Queries. */
export const measureLists = async (harness: Harness, rounds: number): Promise<Results['lists']> => {
  const samples = await inRounds(rounds, loads, (load) => {
    // Plants that all principals have are requested as a list page.
    const query = load.shared ? `limit=${String(load.plants)}` : '';
    return listSample(harness, listEvent({ caller: callerOf(load), acceptEncoding: load.encoding, query }));
  });
  return loads.map((load) => listCostSchema.parse({ ...load, ...summarize(samples.get(load.name) ?? []) }));
};

type Sample = Pick<ListCost, 'queries' | 'warmMs' | 'cpuMs' | 'rssMb' | 'resultBytes'>;

const listSample = async ({ product, queryCount }: Harness, event: string): Promise<Sample> => {
  await using environment = await startEnvironment(product.list);
  const { result } = await environment.invoke(event);
  const cpuMsBefore = environment.cpuMs();
  const queriesBefore = queryCount();
  const times: number[] = [];
  while (times.length < requests) times.push((await environment.invoke(event)).ms);
  return {
    queries: (queryCount() - queriesBefore) / requests,
    warmMs: median(times),
    cpuMs: (environment.cpuMs() - cpuMsBefore) / requests,
    rssMb: environment.peakRssMb(),
    resultBytes: Buffer.byteLength(result),
  };
};
