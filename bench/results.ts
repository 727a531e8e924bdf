import { z } from 'zod';

const middleHalf = z.object({ q1: z.number(), q3: z.number() });

/** A variant's cold start; numbers are medians over all rounds. */
export const coldStartSchema = z.object({
  /** Milliseconds from the start of the process until it asked for its first event. */
  initMs: z.number(),
  /** Milliseconds of the first request. */
  firstMs: z.number(),
  /** Milliseconds of both. */
  coldMs: z.number(),
  /** `coldMs` divided by the baseline's of the same round. */
  coldRatio: z.number(),
  /** Milliseconds of a later request. */
  warmMs: z.number(),
  /** Milliseconds of processor time up to the first answer; other work on the machine disturbs it least. */
  cpuMs: z.number(),
  /** `cpuMs` divided by the baseline's of the same round. */
  cpuRatio: z.number(),
  /** The most memory held at any time, in MB. */
  rssMb: z.number(),
  /** What the function's asset holds; the runtime's own copy of the SDK is not counted. */
  bundleBytes: z.int(),
  /** How many of Node's own modules were loaded up to the first answer. */
  modulesLoaded: z.int(),
  loadsUndici: z.boolean(),
  /** Between which values the middle half of the rounds lies. */
  quartiles: z.object({
    initMs: middleHalf,
    firstMs: middleHalf,
    coldMs: middleHalf,
    coldRatio: middleHalf,
    warmMs: middleHalf,
    cpuMs: middleHalf,
    cpuRatio: middleHalf,
    rssMb: middleHalf,
  }),
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
  /** The most memory held at any time, in MB. */
  rssMb: z.number(),
  /** One function, one request after the other. */
  requestsPerSecond: z.number(),
  resultBytes: z.int(),
  quartiles: z.object({
    warmMs: middleHalf,
    cpuMs: middleHalf,
    rssMb: middleHalf,
    requestsPerSecond: middleHalf,
  }),
});

/** How a list's cost grows with its size, from 1,000 plants to the largest list. */
const growth = z.object({
  principals: z.int(),
  encoding: z.enum(['identity', 'br']),
  /** Milliseconds, milliseconds and MB for 1,000 plants more. */
  warmMsPerThousand: z.number(),
  cpuMsPerThousand: z.number(),
  rssMbPerThousand: z.number(),
  /** The exponent of the size: 1 is linear. */
  cpuExponent: z.number(),
});

/** `bench/results.json`. A part that was not run is empty. */
export const resultsSchema = z.object({
  /** Processor, operating system and memory. */
  machine: z.string(),
  /** Version of Node. */
  node: z.string(),
  date: z.iso.datetime(),
  rounds: z.int(),
  list: z.record(z.string(), coldStartSchema),
  authorizer: z.record(z.string(), coldStartSchema),
  /** One large list by every variant; `cpuRatio` is `cpuMs` divided by the baseline's of the same round. */
  large: z.record(z.string(), listCostSchema.extend({ cpuRatio: z.number() })),
  /** The product's lists by size. */
  scale: z.array(listCostSchema),
  growth: z.array(growth),
});

export type Results = z.infer<typeof resultsSchema>;
export type ListCost = z.infer<typeof listCostSchema>;
