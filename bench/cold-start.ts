import { callerOf, smallList } from './backend/plants.ts';
import type { Candidate } from './bundle.ts';
import type { Harness } from './harness.ts';
import { authorizerEvent, listEvent } from './lambda/events.ts';
import { startEnvironment } from './lambda/execution-environment.ts';
import { median, summarize } from './reporting/statistics.ts';
import { type ColdStart, coldStartSchema, type Results } from './results.ts';
import { inRounds } from './rounds.ts';
import { baselines, type Task } from './variants.ts';

const warmRequests = 30;

/** Starts every variant of a function once per round, with the same event. */
export const measureColdStarts = async (
  { candidates, tokenOf }: Harness,
  task: Task,
  rounds: number,
): Promise<Results[Task]> => {
  const caller = callerOf(smallList);
  const event = task === 'list' ? listEvent({ caller }) : authorizerEvent(tokenOf(caller));
  const samples = await inRounds(rounds, candidates[task], (candidate) => coldStart(candidate, event));
  const baseline = samples.get(baselines[task]) ?? [];
  return Object.fromEntries(
    candidates[task].map(({ name, bundleBytes }) => {
      const figures = (samples.get(name) ?? []).map((sample, round) => ({
        ...sample,
        coldRatio: sample.coldMs / (baseline[round]?.coldMs ?? NaN),
      }));
      return [name, coldStartSchema.parse({ ...summarize(figures), bundleBytes })];
    }),
  );
};

type Sample = Pick<ColdStart, 'initMs' | 'firstMs' | 'coldMs' | 'cpuMs' | 'warmMs' | 'rssMb'>;

const coldStart = async (candidate: Candidate, event: string): Promise<Sample> => {
  await using environment = await startEnvironment(candidate);
  const { initMs } = environment;
  const { ms: firstMs } = await environment.invoke(event);
  const cpuMs = environment.cpuMs();
  const warm: number[] = [];
  while (warm.length < warmRequests) warm.push((await environment.invoke(event)).ms);
  const rssMb = environment.peakRssMb();
  return { initMs, firstMs, coldMs: initMs + firstMs, cpuMs, warmMs: median(warm), rssMb };
};
