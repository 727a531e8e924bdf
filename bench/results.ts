import { z } from 'zod';

/** The range of the middle half of the rounds, by figure. */
const quartiles = z.record(z.string(), z.object({ q1: z.number(), q3: z.number() }));

const coldStartFigures = z.object({
  /** Milliseconds from the start of the process to its first request for an event, on a whole processor. */
  initMs: z.number(),
  /** Milliseconds of the first request. */
  firstMs: z.number(),
  /** Milliseconds of both. */
  coldMs: z.number(),
});

/** A variant's cold start; numbers are medians over all rounds. */
export const coldStartSchema = coldStartFigures.extend({
  /** `coldMs` divided by the baseline's of the same round. */
  coldRatio: z.number(),
  /** Milliseconds of a later request. */
  warmMs: z.number(),
  /** Milliseconds of processor time until the first response. Other work on the machine affects it least. */
  cpuMs: z.number(),
  /** Peak memory in MB. */
  rssMb: z.number(),
  /** The size of the function's asset, without the runtime's copy of the SDK. */
  bundleBytes: z.int(),
  quartiles,
});

/** A list's cost for a warm function; numbers are medians over all rounds. */
export const listCostSchema = z.object({
  plants: z.int(),
  principals: z.int(),
  /** Whether each principal has all of the plants, and a list page of them is requested. */
  shared: z.boolean(),
  encoding: z.enum(['identity', 'br']),
  /** Queries of a request. */
  queries: z.number(),
  /** Milliseconds of a request. */
  warmMs: z.number(),
  /** Milliseconds of processor time for a request. */
  cpuMs: z.number(),
  /** Peak memory in MB. */
  rssMb: z.number(),
  resultBytes: z.int(),
  quartiles,
});

/** A function's figures at the processor share of one memory size; numbers are medians over all rounds. */
const shareFigures = coldStartFigures.extend({
  /** Milliseconds of a later request: the mean in a round, because throttling delays only some. */
  warmMs: z.number(),
  /** The same with each request rounded up to a whole millisecond, as Lambda bills it. */
  billedMs: z.number(),
  /** The price of the durations of a million later requests, in US dollars. */
  usdPerMillion: z.number(),
});
const listShareFigures = shareFigures.extend({
  /** Milliseconds of a warm request for a large list: the mean in a round. */
  largeMs: z.number(),
  /** Milliseconds of the first request of a caller with many principals, in a new process. */
  manyPrincipalsFirstMs: z.number(),
});

/** What the functions cost at Lambda's share of a processor, by variant and memory size in MB. */
export const shareSchema = z.object({
  list: z.record(z.string(), z.record(z.string(), listShareFigures)),
  authorizer: z.record(z.string(), z.record(z.string(), shareFigures)),
});

/** The schema of `bench/results.json`. A part that was not measured is empty. */
export const resultsSchema = z.object({
  /** Processor, operating system and memory. */
  machine: z.string(),
  /** Version of Node. */
  node: z.string(),
  date: z.iso.datetime(),
  rounds: z.int(),
  list: z.record(z.string(), coldStartSchema),
  authorizer: z.record(z.string(), coldStartSchema),
  share: shareSchema,
  /** The product alone with each memory size, in several runs, to choose the memory by their mean. */
  memoryRuns: z.array(shareSchema),
  /** The product's lists by size. */
  lists: z.array(listCostSchema),
});

export type Results = z.infer<typeof resultsSchema>;
export type ColdStart = z.infer<typeof coldStartSchema>;
export type ListCost = z.infer<typeof listCostSchema>;
export type ShareFigures = z.infer<typeof shareFigures>;
export type ListShareFigures = z.infer<typeof listShareFigures>;
