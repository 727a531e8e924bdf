import { callerOf, type ListSize } from './backend/plants.ts';
import type { Candidate } from './bundle.ts';
import type { Harness } from './harness.ts';
import { listEvent } from './lambda/events.ts';
import { startEnvironment } from './lambda/execution-environment.ts';
import { median, rounded } from './reporting/statistics.ts';
import { summarize } from './reporting/summary.ts';
import { largeCostSchema, type ListCost, listCostSchema, type Results, sharedCostSchema } from './results.ts';
import { inRounds } from './rounds.ts';
import { baselines, emptyName, productName } from './variants.ts';

/** A list and its content coding. */
type Load = Pick<ListCost, 'plants' | 'principals' | 'encoding'>;

/** The list for comparing the variants' cost of a large list. */
export const largeList: Load = { plants: 4000, principals: 1, encoding: 'identity' };

/** A list through so many principals that the connections cost the most. */
export const manyPrincipals: ListSize = { plants: 300, principals: 100 };

/** A page of the plants that 100 groups share. */
const sharedPlants = {
  plants: 1000,
  principals: 100,
  shared: true,
  limit: 1000,
  encoding: 'identity',
} as const;

/** Numbers of plants. */
export const sizes = [20, 1000, 4000, 30_000];
const principalCounts = [1, 10, 100];
const encodings = ['identity', 'br'] as const;

/** Every size with every number of principals, with and without compression. */
const loads: readonly Load[] = sizes.flatMap((plants) =>
  principalCounts.flatMap((principals) => encodings.map((encoding) => ({ plants, principals, encoding }))),
);

/** The same number for every variant, because V8 optimizes code that runs often. */
const requests = 20;

/** Measures the large list with every variant that lists plants. */
export const measureLargeList = async (
  { candidates }: Harness,
  rounds: number,
): Promise<Results['large']> => {
  const working = candidates.list.filter(({ name }) => name !== emptyName);
  const samples = await inRounds(rounds, working, (candidate) => listSample(candidate, eventOf(largeList)));
  const baseline = samples.get(baselines.list) ?? [];
  return Object.fromEntries(
    [...samples].map(([name, ofVariant]) => {
      const figures = ofVariant.map((sample, round) => ({
        ...sample,
        cpuRatio: sample.cpuMs / (baseline[round]?.cpuMs ?? NaN),
      }));
      return [name, largeCostSchema.parse({ ...largeList, ...summarize(figures) })];
    }),
  );
};

/** Measures every load with the product. */
export const measureLoads = async (
  { candidates }: Harness,
  rounds: number,
): Promise<Pick<Results, 'scale' | 'growth'>> => {
  const subjects = candidates.list
    .filter(({ name }) => name === productName)
    .flatMap((candidate) => loads.map((load) => ({ name: JSON.stringify(load), candidate, load })));
  const samples = await inRounds(rounds, subjects, ({ candidate, load }) =>
    listSample(candidate, eventOf(load)),
  );
  const scale = subjects.map(({ name, load }) =>
    listCostSchema.parse({ ...load, ...summarize(samples.get(name) ?? []) }),
  );
  return { scale, growth: growthOf(scale) };
};

/** Measures a page of shared plants with the product, and counts its Queries. */
export const measureShared = async (
  { candidates, queryCount }: Harness,
  rounds: number,
): Promise<Results['shared']> => {
  const product = candidates.list.filter(({ name }) => name === productName);
  const event = eventOf(sharedPlants, `limit=${String(sharedPlants.limit)}`);
  const samples = await inRounds(rounds, product, async (candidate) => {
    const before = queryCount();
    const sample = await listSample(candidate, event);
    // Without the one that warms the connection up.
    return { ...sample, queries: (queryCount() - before - 1) / (requests + 1) };
  });
  return [...samples.values()].map((ofProduct) =>
    sharedCostSchema.parse({ ...sharedPlants, ...summarize(ofProduct) }),
  );
};

const eventOf = (load: Load & ListSize, query = ''): string =>
  listEvent({ caller: callerOf(load), acceptEncoding: load.encoding, query });

type Sample = Pick<ListCost, 'warmMs' | 'cpuMs' | 'rssMb' | 'requestsPerSecond' | 'resultBytes'>;

const listSample = async (candidate: Candidate, event: string): Promise<Sample> => {
  await using environment = await startEnvironment(candidate);
  const first = await environment.invoke(event);
  const cpuBefore = environment.cpuMs();
  const started = performance.now();
  const times: number[] = [];
  while (times.length < requests) times.push((await environment.invoke(event)).ms);
  const elapsedMs = performance.now() - started;
  const cpuMs = (environment.cpuMs() - cpuBefore) / requests;
  return {
    warmMs: median(times),
    cpuMs,
    rssMb: environment.peakRssMb(),
    requestsPerSecond: (requests / elapsedMs) * 1000,
    resultBytes: Buffer.byteLength(first.result),
  };
};

// For smaller lists, the request itself costs more than its plants.
const smallestForGrowth = 1000;

const growthOf = (scale: readonly ListCost[]): Results['growth'] => {
  const largest = Math.max(...sizes);
  return scale
    .filter(({ plants }) => plants === smallestForGrowth)
    .flatMap(({ principals, encoding, ...from }) =>
      scale
        .filter((to) => to.plants === largest && to.principals === principals && to.encoding === encoding)
        .map((to) => {
          const thousands = (to.plants - from.plants) / 1000;
          return {
            principals,
            encoding,
            warmMsPerThousand: rounded((to.warmMs - from.warmMs) / thousands, 2),
            cpuMsPerThousand: rounded((to.cpuMs - from.cpuMs) / thousands, 2),
            rssMbPerThousand: rounded((to.rssMb - from.rssMb) / thousands, 2),
            cpuExponent: rounded(Math.log(to.cpuMs / from.cpuMs) / Math.log(to.plants / from.plants), 2),
          };
        }),
    );
};
