import { z } from 'zod';
import type { Candidate } from '../bundle.ts';
import { type ExecutionEnvironment, startEnvironment } from '../lambda/execution-environment.ts';
import { mean } from '../reporting/statistics.ts';
import type { ListShareFigures, ShareFigures } from '../results.ts';
import { UnfairComparison } from '../same-response.ts';
import type { CpuShare } from './cpu-share.ts';
import { usdPerMillion } from './price.ts';

/** A variant with the share of a processor of one memory size. */
export interface Subject {
  /** For messages. */
  readonly name: string;
  readonly candidate: Candidate;
  readonly share: CpuShare;
}

const warmRequests = 30;
const largeRequests = 5;

/** Measures a variant of the list function. */
export const listSample = async (
  subject: Subject,
  events: Readonly<Record<'small' | 'large' | 'manyPrincipals', string>>,
): Promise<ListShareFigures> => {
  const manyPrincipalsFirstMs = await firstRequest(subject, events.manyPrincipals);
  await using environment = await start(subject);
  const figures = await coldAndWarm(environment, events.small, subject.share);
  const largeMs = mean(await environment.times(events.large, largeRequests));
  return { ...figures, largeMs, manyPrincipalsFirstMs };
};

/** Measures a variant of the authorizer. */
export const authorizerSample = async (subject: Subject, event: string): Promise<ShareFigures> => {
  await using environment = await start(subject);
  return await coldAndWarm(environment, event, subject.share);
};

/** Milliseconds of the first request to a new process. */
const firstRequest = async (subject: Subject, event: string): Promise<number> => {
  await using environment = await start(subject);
  return mean(await environment.times(event, 1));
};

/** An execution environment in which every request must succeed. */
interface Started extends ExecutionEnvironment {
  /** Milliseconds of each of several sequential requests. */
  readonly times: (event: string, requests: number) => Promise<readonly number[]>;
}

const success = z.union([
  z.object({ statusCode: z.literal(200) }),
  z.object({ isAuthorized: z.literal(true) }),
]);

const start = async ({ name, candidate, share }: Subject): Promise<Started> => {
  const environment = await startEnvironment(candidate, share);
  const times: Started['times'] = async (event, requests) => {
    const measured: number[] = [];
    while (measured.length < requests) {
      const { ms, result } = await environment.invoke(event);
      if (!success.safeParse(JSON.parse(result)).success) {
        throw new UnfairComparison(`${name} responds with a failure: ${result.slice(0, 200)}`);
      }
      measured.push(ms);
    }
    return measured;
  };
  return { ...environment, times };
};

const coldAndWarm = async (
  { initMs, times }: Started,
  event: string,
  { memoryMb }: CpuShare,
): Promise<ShareFigures> => {
  const [firstMs = NaN, ...warm] = await times(event, 1 + warmRequests);
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
