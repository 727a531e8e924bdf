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

/** A request that is measured. Its description, with the variant, is for errors. */
interface MeasuredRequest {
  readonly description: string;
  /** The event as JSON text. */
  readonly event: string;
}

/** The figures of one round, by their names in `results.ts`. */
type Sample = Readonly<Record<string, number | undefined>>;

/**
 * Samples every variant once per round, in random order, so that other work on the machine affects all
 * variants alike.
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
  const description = `${variant.name}: a token`;
  return await coldAndWarm(environment, { description, event: authorizerEvent(token) });
};

/** Samples a variant of the list function. */
export const sampleList = async (start: Start, variant: Variant): Promise<Sample> => {
  const figures = await manyPrincipalsFirst(start, variant);
  await using environment = await start(variant);
  const small = {
    description: `${variant.name}: the small list`,
    event: listEvent({ caller: callerOf(smallList) }),
  };
  const long = {
    description: `${variant.name}: the long list`,
    event: listEvent({ caller: callerOf(longList), acceptEncoding: 'br' }),
  };
  const coldAndWarmFigures = await coldAndWarm(environment, small);
  const invocations = await invoke(environment, long, longListRequests);
  return {
    ...figures,
    ...coldAndWarmFigures,
    longListMs: mean(invocations, ({ ms }) => ms),
    longListQueries: mean(invocations, ({ queries }) => queries),
  };
};

/**
 * The first request of a caller with many principals, in a new process, where the request must open the
 * connections, which cost the most.
 */
const manyPrincipalsFirst = async (start: Start, variant: Variant): Promise<Sample> => {
  await using environment = await start(variant);
  const request = {
    description: `${variant.name}: the list of many principals`,
    event: listEvent({ caller: callerOf(manyPrincipals) }),
  };
  const [first] = await invoke(environment, request, 1);
  return { manyPrincipalsFirstMs: first?.ms, manyPrincipalsQueries: first?.queries };
};

const coldAndWarm = async (environment: ExecutionEnvironment, request: MeasuredRequest): Promise<Sample> => {
  const [first, ...warm] = await invoke(environment, request, 1 + warmRequests);
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
 * Sends a request several times, one after another.
 * @throws {Error} when the function does not respond with success, for example because it is too slow
 */
const invoke = async (
  environment: ExecutionEnvironment,
  { description, event }: MeasuredRequest,
  times: number,
): Promise<readonly Invocation[]> => {
  const invocations: Invocation[] = [];
  while (invocations.length < times) {
    const invocation = await environment.invoke(event);
    const { result } = invocation;
    if (!success.safeParse(JSON.parse(result)).success)
      throw new Error(`${description} did not succeed. The response: ${result}`);
    invocations.push(invocation);
  }
  return invocations;
};
