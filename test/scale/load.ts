import type { Inputs, Timed } from './inputs.ts';
import { limits } from './limits.ts';
import { type ListSize, plants } from './reads.ts';

/** Requests of one caller to one invocation of the authorizer: it is invoked once, then the result is cached. */
export const requestsPerMiss = (
  { requestsPerMinute, authorizer }: Inputs,
  perMinute = requestsPerMinute,
): number => 1 + (perMinute / 60) * authorizer.cacheSeconds;

/** The time of a warm list, whose length adds to it in proportion. */
export const listMs = ({ list }: Inputs, count: number): number =>
  list.warmMs + ((list.largeMs - list.warmMs) * (count - plants.short)) / (plants.long - plants.short);

/** Average billed time: a cold start now and then. */
export const billedMs = (
  { invocationsPerColdStart }: Inputs,
  { coldMs, warmMs, billedMs: warm }: Timed,
): number => warm + (coldMs - warmMs) / invocationsPerColdStart;

/** The same of a list, without the rounding up of one that takes many milliseconds. */
export const listBilledMs = (inputs: Inputs, count: number): number =>
  billedMs(inputs, inputs.list) + listMs(inputs, count) - inputs.list.warmMs;

/** Environments that work at a steady rate. */
export const inFlight = (inputs: Inputs, rps: number): Record<ListSize | 'authorizer', number> => ({
  short: (rps * inputs.list.warmMs) / 1000,
  long: (rps * inputs.list.largeMs) / 1000,
  authorizer: ((rps / requestsPerMiss(inputs)) * inputs.authorizer.warmMs) / 1000,
});

/** Invocations per second, of both functions. */
export const invocations = (inputs: Inputs, rps: number): number => rps * (1 + 1 / requestsPerMiss(inputs));

/** The concurrency quota that a steady rate needs, by either of Lambda's limits. */
export const neededQuota = (inputs: Inputs, rps: number, size: ListSize): number =>
  Math.ceil(
    Math.max(
      invocations(inputs, rps) / limits.lambdaPerConcurrency,
      inFlight(inputs, rps)[size] + inFlight(inputs, rps).authorizer,
    ),
  );

/** The rate that the default concurrency quota allows. */
export const lambdaRate = (inputs: Inputs, size: ListSize): number => {
  const { authorizer, [size]: list } = inFlight(inputs, 1);
  const perInvocation = (limits.lambdaConcurrency * limits.lambdaPerConcurrency) / invocations(inputs, 1);
  return Math.min(perInvocation, limits.lambdaConcurrency / (list + authorizer));
};

/** The time of a list while every environment starts. */
export const coldListMs = ({ list }: Inputs, size: ListSize): number =>
  list.coldMs + (size === 'long' ? list.largeMs - list.warmMs : 0);

/** The largest step from zero without throttling, and what it is if the quota is raised far enough. */
export const largestStep = (inputs: Inputs, size: ListSize): { default: number; raised: number } => {
  const list = coldListMs(inputs, size);
  const { coldMs: authorizer } = inputs.authorizer;
  const { lambdaConcurrency: quota, scalingEnvironments, scalingPerSecond } = limits;
  const raised = Math.min(scalingPerSecond, (scalingEnvironments * 1000) / Math.max(list, authorizer));
  // Every token is new, so each request invokes both functions, which share the quota.
  const byQuota = Math.min((quota * 1000) / (list + authorizer), (quota * limits.lambdaPerConcurrency) / 2);
  return { default: Math.floor(Math.min(raised, byQuota)), raised: Math.floor(raised) };
};

/** Environments of each function that a step from zero to this rate needs. */
export const coldEnvironments = (inputs: Inputs, rps: number): Record<'list' | 'authorizer', number> => ({
  list: (rps * inputs.list.coldMs) / 1000,
  authorizer: (rps * inputs.authorizer.coldMs) / 1000,
});
