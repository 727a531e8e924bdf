import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { mean, median, shuffle, sum } from 'd3-array';
import { z } from 'zod';
import { callerOf, longList, manyPrincipals, smallList } from './backend/plants.ts';
import { authorizerEvent, listEvent } from './lambda/events.ts';
import type { ExecutionEnvironment, Invocation } from './lambda/execution-environment.ts';
import type { Variant } from './variants.ts';

/** Starts a variant's execution environment. */
export type Start = (variant: Variant) => Promise<ExecutionEnvironment>;

/** The figures of one round, by their names in `results.ts`. */
type Sample = Readonly<Record<string, number | undefined>>;

/**
 * Samples every variant once per round, in random order, so that other work on the machine affects all alike.
 * @returns the medians of each variant, by its name
 */
export const measure = async (
  variants: readonly Variant[],
  rounds: number,
  sample: (variant: Variant) => Promise<Sample>,
): Promise<Readonly<Record<string, unknown>>> => {
  const samples = new Map(variants.map((variant): [Variant, Sample[]] => [variant, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const variant of shuffle([...variants])) samples.get(variant)?.push(await sample(variant));
  }
  return Object.fromEntries(
    [...samples].map(([{ name, folder }, rows]) => [
      name,
      { ...medians(rows), bundleBytes: bytesIn(folder) },
    ]),
  );
};

const medians = (samples: readonly Sample[]): Sample =>
  Object.fromEntries(
    Object.keys(samples[0] ?? {}).map((name) => [name, rounded(median(samples, (sample) => sample[name]))]),
  );

/** More decimal places would only show noise. */
const rounded = (figure = NaN): number => Number(figure.toFixed(2));

const bytesIn = (folder: string): number =>
  sum(readdirSync(folder), (file) => statSync(join(folder, file)).size);

const warmRequests = 30;
const longListRequests = 5;

/** Samples a variant of the authorizer. */
export const sampleAuthorizer = async (start: Start, variant: Variant, token: string): Promise<Sample> => {
  await using environment = await start(variant);
  return await coldAndWarm(environment, authorizerEvent(token));
};

/** Samples a variant of the list function. */
export const sampleList = async (start: Start, variant: Variant): Promise<Sample> => {
  const figures = await manyPrincipalsFirst(start, variant);
  await using environment = await start(variant);
  const coldAndWarmFigures = await coldAndWarm(environment, listEvent({ caller: callerOf(smallList) }));
  const long = listEvent({ caller: callerOf(longList), acceptEncoding: 'br' });
  const invocations = await invoke(environment, long, longListRequests);
  return {
    ...figures,
    ...coldAndWarmFigures,
    longListMs: mean(invocations, ({ ms }) => ms),
    longListQueries: mean(invocations, ({ queries }) => queries),
  };
};

/** In a process of its own, because connections cost such a caller the most. */
const manyPrincipalsFirst = async (start: Start, variant: Variant): Promise<Sample> => {
  await using environment = await start(variant);
  const [first] = await invoke(environment, listEvent({ caller: callerOf(manyPrincipals) }), 1);
  return { manyPrincipalsFirstMs: first?.ms, manyPrincipalsQueries: first?.queries };
};

const coldAndWarm = async (environment: ExecutionEnvironment, event: string): Promise<Sample> => {
  const [first, ...warm] = await invoke(environment, event, 1 + warmRequests);
  const { initMs } = environment;
  const firstMs = first?.ms ?? NaN;
  return {
    initMs,
    firstMs,
    coldMs: initMs + firstMs,
    warmMs: mean(warm, ({ ms }) => ms),
    billedMs: mean(warm, ({ ms }) => Math.ceil(ms)),
    queries: mean(warm, ({ queries }) => queries),
  };
};

const success = z.union([
  z.object({ statusCode: z.literal(200) }),
  z.object({ isAuthorized: z.literal(true) }),
]);

/**
 * Sends an event several times, one after another.
 * @throws {Error} when the function does not respond with success, for example because it is too slow
 */
const invoke = async (
  environment: ExecutionEnvironment,
  event: string,
  times: number,
): Promise<readonly Invocation[]> => {
  const invocations: Invocation[] = [];
  while (invocations.length < times) {
    const invocation = await environment.invoke(event);
    const { result } = invocation;
    if (!success.safeParse(JSON.parse(result)).success) throw new Error(`A function responds with ${result}`);
    invocations.push(invocation);
  }
  return invocations;
};
