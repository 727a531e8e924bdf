import { z } from 'zod';

/** A variant's figures; numbers are medians over all rounds. */
const figures = z.object({
  /** Milliseconds from the start of the process to its first request for an event, on a whole processor. */
  initMs: z.number(),
  /** Milliseconds of the first request. */
  firstMs: z.number(),
  /** `initMs` + `firstMs`. */
  coldMs: z.number(),
  /**
   * Milliseconds of a later request: a round's mean, because a round's median would miss the requests that
   * the processor limit delays.
   */
  warmMs: z.number(),
  /** `warmMs` with each request rounded up to a whole millisecond, as Lambda bills requests. */
  billedMs: z.number(),
  /** The size of the function's asset, without the runtime's copy of the SDK. */
  bundleBytes: z.int(),
});

const listFigures = figures.extend({
  /** The number of Queries of a later request. */
  queries: z.number(),
  /** Milliseconds of a later request for a long list, compressed if the variant can: a round's mean. */
  longListMs: z.number(),
  longListQueries: z.number(),
  /** Milliseconds of the first request of a caller with many principals, in a new process. */
  manyPrincipalsFirstMs: z.number(),
  manyPrincipalsQueries: z.number(),
});

/** The schema of `bench/results.json`. */
export const resultsSchema = z.object({
  /** Processor, memory and operating system. */
  machine: z.string(),
  /** Version of Node.js. */
  node: z.string(),
  date: z.iso.datetime(),
  rounds: z.int(),
  /** The processor during a request: Lambda's share for the function's memory, or a whole processor. */
  processor: z.enum(['share', 'whole']),
  list: z.object({ memoryMb: z.int(), variants: z.record(z.string(), listFigures) }),
  authorizer: z.object({ memoryMb: z.int(), variants: z.record(z.string(), figures) }),
});

export type Results = z.infer<typeof resultsSchema>;
export type Figures = z.infer<typeof figures>;
