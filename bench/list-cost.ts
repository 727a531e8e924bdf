import { listEvent } from './lambda/events.ts';
import { startEnvironment } from './lambda/execution-environment.ts';
import { callerOf, type ListSize } from './backend/plants.ts';
import { inRounds, type Samples } from './rounds.ts';
import type { Candidate, Harness } from './harness.ts';
import { median } from './reporting/statistics.ts';
import { productName } from './variants.ts';

/** The cost of one list in a warm function. */
export interface ListSample {
  /** Milliseconds of a request (median). */
  readonly warmMs: number;
  /** Milliseconds of processor time of a request (mean). */
  readonly cpuMs: number;
  /** Peak memory in MB. */
  readonly rssMb: number;
  /** Sequential requests per second. */
  readonly requestsPerSecond: number;
  /** Bytes of the function's result. */
  readonly resultBytes: number;
}

/** A list and its content coding. */
export interface Load extends ListSize {
  readonly encoding: 'identity' | 'br';
}

/** The list for comparing the variants' cost of a large list. */
export const largeList: Load = { plants: 4000, principals: 1, encoding: 'identity' };

/** A list through so many principals that the connections cost the most. */
export const manyPrincipals: ListSize = { plants: 300, principals: 100 };

/** Numbers of plants. */
export const sizes = [20, 1000, 4000, 30_000];
const principalCounts = [1, 10, 100];
const encodings = ['identity', 'br'] as const;

/** Every size with every number of principals, with and without compression. */
export const loads: readonly Load[] = sizes.flatMap((plants) =>
  principalCounts.flatMap((principals) => encodings.map((encoding) => ({ plants, principals, encoding }))),
);

/** The same number for every variant, because V8 optimizes code that runs often. */
const requests = 20;

/** Measures the large list with every variant that lists plants. */
export const measureLargeList = (
  { candidates, expiresAt }: Harness,
  rounds: number,
): Promise<Samples<ListSample>> => {
  const working = candidates.list.filter(({ isEmpty }) => !isEmpty);
  return inRounds(rounds, working, (candidate) => listSample(candidate, largeList, expiresAt));
};

/** Measures every load with the product. A load's name is its index in `loads`. */
export const measureLoads = (
  { candidates, expiresAt }: Harness,
  rounds: number,
): Promise<Samples<ListSample>> => {
  const subjects = candidates.list
    .filter(({ name }) => name === productName)
    .flatMap((candidate) => loads.map((load, index) => ({ name: String(index), candidate, load })));
  return inRounds(rounds, subjects, ({ candidate, load }) => listSample(candidate, load, expiresAt));
};

const listSample = async (candidate: Candidate, load: Load, expiresAt: number): Promise<ListSample> => {
  const event = listEvent({ caller: callerOf(load, expiresAt), acceptEncoding: load.encoding });
  const environment = await startEnvironment(candidate);
  const first = await environment.invoke(event);
  const cpuBefore = environment.cpuMs();
  const started = performance.now();
  const times: number[] = [];
  while (times.length < requests) times.push((await environment.invoke(event)).ms);
  const elapsedMs = performance.now() - started;
  const cpuMs = (environment.cpuMs() - cpuBefore) / requests;
  const rssMb = environment.peakRssMb();
  await environment.end();
  return {
    warmMs: median(times),
    cpuMs,
    rssMb,
    requestsPerSecond: (requests / elapsedMs) * 1000,
    resultBytes: Buffer.byteLength(first.result),
  };
};
