import { authorizerEvent, listEvent } from './lambda/events.ts';
import { startEnvironment } from './lambda/execution-environment.ts';
import { type LoadedModules, modulesLoadedBy } from './lambda/modules-loaded.ts';
import { callerOf } from './backend/plants.ts';
import { inRounds, type Samples } from './rounds.ts';
import type { Candidate, Harness } from './harness.ts';
import { median } from './reporting/statistics.ts';
import type { Task } from './variants.ts';

/** One cold start of a variant, followed by warm requests. */
export interface ColdSample {
  /** Milliseconds from the start of the process until it requested its first event. */
  readonly initMs: number;
  /** Milliseconds of the first request. */
  readonly firstMs: number;
  /** Milliseconds of processor time until the first response. */
  readonly cpuMs: number;
  /** Milliseconds of a later request (median). */
  readonly warmMs: number;
  /** Peak memory in MB. */
  readonly rssMb: number;
}

/** The measurements of the variants of one function. */
export interface ColdStarts {
  readonly samples: Samples<ColdSample>;
  readonly modules: ReadonlyMap<string, LoadedModules>;
}

/** A list of 20 plants through three principals. */
export const smallList = { plants: 20, principals: 3 };

const warmRequests = 30;

/** Starts every variant of a function once per round, with the same event. */
export const measureColdStarts = async (
  { candidates, issuer, expiresAt, scratch }: Harness,
  task: Task,
  rounds: number,
): Promise<ColdStarts> => {
  const caller = callerOf(smallList, expiresAt);
  const event = task === 'list' ? listEvent({ caller }) : authorizerEvent(await issuer.sign(caller));
  const modules = new Map<string, LoadedModules>();
  for (const candidate of candidates[task]) {
    modules.set(candidate.name, await modulesLoadedBy(candidate, event, scratch));
  }
  const samples = await inRounds(rounds, candidates[task], (candidate) => coldStart(candidate, event));
  return { samples, modules };
};

const coldStart = async (candidate: Candidate, event: string): Promise<ColdSample> => {
  const environment = await startEnvironment(candidate);
  const { ms: firstMs } = await environment.invoke(event);
  const cpuMs = environment.cpuMs();
  const warm: number[] = [];
  for (let request = 0; request < warmRequests; request += 1) warm.push((await environment.invoke(event)).ms);
  const rssMb = environment.peakRssMb();
  await environment.end();
  return { initMs: environment.initMs, firstMs, cpuMs, warmMs: median(warm), rssMb };
};
