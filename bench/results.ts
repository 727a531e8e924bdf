import { z } from 'zod';

const middleHalf = z.object({ q1: z.number(), q3: z.number() });

const coldStartFigures = z.object({
  /** Milliseconds from the start of the process until it requested its first event, with a free processor. */
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
  /** Milliseconds of processor time until the first response. It is the figure that other work on the machine affects least. */
  cpuMs: z.number(),
  /** `cpuMs` divided by the baseline's of the same round. */
  cpuRatio: z.number(),
  /** Peak memory in MB. */
  rssMb: z.number(),
  /** The size of the function's asset, without the runtime's copy of the SDK. */
  bundleBytes: z.int(),
  /** The number of Node's built-in modules, including bindings, that were loaded until the first response. */
  modulesLoaded: z.int(),
  /** Whether undici is among them, the implementation of `fetch`: it alone takes 20 ms. */
  loadsUndici: z.boolean(),
  /** The range of the middle half of the rounds. */
  quartiles: z.record(
    z.enum(['initMs', 'firstMs', 'coldMs', 'coldRatio', 'warmMs', 'cpuMs', 'cpuRatio', 'rssMb']),
    middleHalf,
  ),
});

/** A list's cost for a warm function; numbers are medians over all rounds. */
export const listCostSchema = z.object({
  plants: z.int(),
  principals: z.int(),
  encoding: z.enum(['identity', 'br']),
  /** Milliseconds of a request. */
  warmMs: z.number(),
  /** Milliseconds of processor time for a request. */
  cpuMs: z.number(),
  /** Peak memory in MB. */
  rssMb: z.number(),
  /** Sequential requests to one function. */
  requestsPerSecond: z.number(),
  resultBytes: z.int(),
  quartiles: z.object({
    warmMs: middleHalf,
    cpuMs: middleHalf,
    rssMb: middleHalf,
    requestsPerSecond: middleHalf,
  }),
});

/** A large list's cost with one variant. */
export const largeCostSchema = listCostSchema.extend({
  /** `cpuMs` divided by the baseline's of the same round. */
  cpuRatio: z.number(),
});

/** The cost of a page of the plants that all of many groups have. */
export const sharedCostSchema = listCostSchema.extend({
  limit: z.int(),
  /** Of one request. */
  queries: z.int(),
});

/** The growth of a list's cost from 1,000 plants to the largest list. */
const growth = z.object({
  principals: z.int(),
  encoding: z.enum(['identity', 'br']),
  /** Milliseconds, milliseconds and MB for each 1,000 additional plants. */
  warmMsPerThousand: z.number(),
  cpuMsPerThousand: z.number(),
  rssMbPerThousand: z.number(),
  /** The exponent of the size: 1 is linear. */
  cpuExponent: z.number(),
});

/** A function's figures with the share of a processor that one memory size has; numbers are medians over all rounds. */
const shareFigures = coldStartFigures.extend({
  /** Milliseconds of a later request: the mean in a round, because a single one may wait for the control group's next period. */
  warmMs: z.number(),
  /** The same with each request rounded up to a whole millisecond, as Lambda bills it. */
  billedMs: z.number(),
  /** The price of the durations of a million later requests, in US dollars. */
  usdPerMillion: z.number(),
});
const listShareFigures = shareFigures.extend({
  /** Milliseconds of a warm request for a large list: the mean in a round. */
  largeMs: z.number(),
  /** Milliseconds of the first request of a caller with many principals, in an environment of its own. */
  manyPrincipalsFirstMs: z.number(),
});

/** What the functions cost at Lambda's share of a processor, by variant and memory size in MB. */
export const shareSchema = z.object({
  list: z.record(z.string(), z.record(z.string(), listShareFigures)),
  authorizer: z.record(z.string(), z.record(z.string(), shareFigures)),
  /** A cold start of the authorizer, then one of the list function. */
  pair: z.record(z.string(), z.object({ coldMs: z.number() })),
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
  /** One large list with every variant. */
  large: z.record(z.string(), largeCostSchema),
  /** The product's lists by size. */
  scale: z.array(listCostSchema),
  growth: z.array(growth),
  /** The product's pages of shared plants. */
  shared: z.array(sharedCostSchema),
  share: shareSchema,
  /** The product alone, measured again and again, to choose the memory by the mean. */
  memoryRuns: z.array(shareSchema),
});

export type Results = z.infer<typeof resultsSchema>;
export type ColdStart = z.infer<typeof coldStartSchema>;
export type ListCost = z.infer<typeof listCostSchema>;
export type ShareFigures = z.infer<typeof shareFigures>;
export type ListShareFigures = z.infer<typeof listShareFigures>;
