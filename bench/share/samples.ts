import { z } from 'zod';
import { type ExecutionEnvironment, startEnvironment } from '../lambda/execution-environment.ts';
import type { Candidate } from '../harness.ts';
import { UnfairComparison } from '../same-response.ts';
import { mean } from '../reporting/statistics.ts';
import type { CpuShare } from './cpu-share.ts';
import { usdPerMillion } from './price.ts';

/** A cold start and the warm requests that followed it, in milliseconds. */
export interface ShareSample {
  readonly initMs: number;
  readonly firstMs: number;
  readonly coldMs: number;
  /** The mean, because a single request may wait for the next period of the control group. */
  readonly warmMs: number;
  /** The mean of the durations that Lambda would bill: each is rounded up. */
  readonly billedMs: number;
  readonly usdPerMillion: number;
}

/** Also the list function's other requests. */
export interface ListShareSample extends ShareSample {
  /** The mean of warm requests for a large list. */
  readonly largeMs: number;
  /** The first request of a caller with many principals, in an environment of its own. */
  readonly manyPrincipalsFirstMs: number;
}

/** A variant with the share of a processor that one memory size has. */
export interface Subject {
  readonly candidate: Candidate;
  readonly share: CpuShare;
}

const warmRequests = 30;
const largeRequests = 5;

/** Measures a variant of the list function. */
export const listSample = async (
  subject: Subject,
  events: Readonly<Record<'small' | 'large' | 'manyPrincipals', string>>,
): Promise<ListShareSample> => {
  const sample = await inEnvironment(subject, async (environment) => ({
    ...(await coldAndWarm(environment, events.small, subject.share)),
    largeMs: mean(await times(environment, events.large, largeRequests)),
  }));
  const [manyPrincipalsFirstMs = NaN] = await inEnvironment(subject, (environment) =>
    times(environment, events.manyPrincipals, 1),
  );
  return { ...sample, manyPrincipalsFirstMs };
};

/** Measures a variant of the authorizer. */
export const authorizerSample = (subject: Subject, event: string): Promise<ShareSample> =>
  inEnvironment(subject, (environment) => coldAndWarm(environment, event, subject.share));

/** Measures cold starts one after the other, as a sum. */
export const pairSample = async (
  inARow: readonly (Subject & { readonly event: string })[],
): Promise<Pick<ShareSample, 'coldMs'>> => {
  let coldMs = 0;
  for (const { event, ...subject } of inARow) {
    coldMs += await inEnvironment(subject, async (environment) => {
      const [firstMs = NaN] = await times(environment, event, 1);
      return environment.initMs + firstMs;
    });
  }
  return { coldMs };
};

const inEnvironment = async <T>(
  { candidate, share }: Subject,
  measure: (environment: ExecutionEnvironment) => Promise<T>,
): Promise<T> => {
  const environment = await startEnvironment(candidate, { share });
  try {
    return await measure(environment);
  } catch (error) {
    if (!(error instanceof FailedRequest)) throw error;
    throw new UnfairComparison(
      `${candidate.name} with ${String(share.memoryMb)} MB responds with a failure: ${error.message}`,
    );
  } finally {
    await environment.end();
  }
};

class FailedRequest extends Error {
  override readonly name = 'FailedRequest';
}

const success = z.union([
  z.object({ statusCode: z.literal(200) }),
  z.object({ isAuthorized: z.literal(true) }),
]);

const coldAndWarm = async (
  environment: ExecutionEnvironment,
  event: string,
  { memoryMb }: CpuShare,
): Promise<ShareSample> => {
  const { initMs } = environment;
  const [firstMs = NaN] = await times(environment, event, 1);
  const warm = await times(environment, event, warmRequests);
  const billedMs = mean(warm.map(Math.ceil));
  return {
    initMs,
    firstMs,
    coldMs: initMs + firstMs,
    warmMs: mean(warm),
    billedMs,
    usdPerMillion: usdPerMillion(billedMs, memoryMb),
  };
};

/** Milliseconds of each of several requests, one after the other. */
const times = async (
  environment: ExecutionEnvironment,
  event: string,
  requests: number,
): Promise<readonly number[]> => {
  const measured: number[] = [];
  while (measured.length < requests) {
    const { ms, result } = await environment.invoke(event);
    if (!success.safeParse(JSON.parse(result)).success) throw new FailedRequest(result.slice(0, 200));
    measured.push(ms);
  }
  return measured;
};
