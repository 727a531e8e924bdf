import { listEvent } from './events.ts';
import { startEnvironment } from './execution-environment.ts';
import { callerOf, type ListSize } from './plants.ts';
import { inRounds, type Samples } from './rounds.ts';
import type { Candidate, Harness } from './harness.ts';
import { median } from './statistics.ts';
import { productName } from './variants.ts';

/** What one list costs a warm function. */
export interface ListSample {
  /** Milliseconds of a request, in the median. */
  readonly warmMs: number;
  /** Milliseconds of processor time for a request, on average. */
  readonly cpuMs: number;
  /** The most memory held at any time, in MB. */
  readonly rssMb: number;
  /** Requests answered one after the other, in a second. */
  readonly requestsPerSecond: number;
  /** Bytes of the function's result. */
  readonly resultBytes: number;
}

/** A list, and how the client wants it. */
export interface Load extends ListSize {
  readonly encoding: 'identity' | 'br';
}

/** The list by which the variants' cost of a large list is compared. */
export const largeList: Load = { plants: 4000, principals: 1, encoding: 'identity' };

/** Numbers of plants. */
export const sizes = [20, 1000, 4000, 30_000];
const principalCounts = [1, 10, 100];
const encodings = ['identity', 'br'] as const;

/** Every size, by every number of principals, with and without compression. */
export const loads: readonly Load[] = sizes.flatMap((plants) =>
  principalCounts.flatMap((principals) => encodings.map((encoding) => ({ plants, principals, encoding }))),
);

/** As many for every variant, since V8 makes a function faster the more often it ran. */
const requests = 20;

/** The large list by every variant that does the job. */
export const measureLargeList = (
  { candidates, expiresAt }: Harness,
  rounds: number,
): Promise<Samples<ListSample>> => {
  const working = candidates.list.filter(({ isEmpty }) => !isEmpty);
  return inRounds(rounds, working, (candidate) => listSample(candidate, largeList, expiresAt));
};

/** The product's cost of every load; a load's name is its place in `loads`. */
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
