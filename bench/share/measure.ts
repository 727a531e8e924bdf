import { callerOf, largeList, manyPrincipals, smallList } from '../backend/plants.ts';
import type { Harness } from '../harness.ts';
import { authorizerEvent, listEvent } from '../lambda/events.ts';
import { summarize } from '../reporting/statistics.ts';
import { type Results, shareSchema } from '../results.ts';
import { inRounds } from '../rounds.ts';
import type { Task } from '../variants.ts';
import { makeCpuShare } from './cpu-share.ts';
import type { MemorySizes } from './memory-sizes.ts';
import { authorizerSample, listSample, type Subject } from './samples.ts';

/** Measures every variant with the share of a processor that Lambda gives each memory size. */
export const measureShares = async (
  { candidates, tokenOf }: Pick<Harness, 'candidates' | 'tokenOf'>,
  sizes: MemorySizes,
  rounds: number,
): Promise<Results['share']> => {
  using groups = new DisposableStack();
  const shares = [...new Set([...sizes.list, ...sizes.authorizer])].map((memoryMb) =>
    groups.use(makeCpuShare(memoryMb)),
  );
  const subjects = (task: Task): readonly Subject[] =>
    candidates[task].flatMap((candidate) =>
      shares
        .filter(({ memoryMb }) => sizes[task].includes(memoryMb))
        .map((share) => ({ name: `${candidate.name} with ${String(share.memoryMb)} MB`, candidate, share })),
    );
  const caller = callerOf(smallList);
  const token = authorizerEvent(tokenOf(caller));
  const events = {
    small: listEvent({ caller }),
    large: listEvent({ caller: callerOf(largeList), acceptEncoding: 'br' }),
    manyPrincipals: listEvent({ caller: callerOf(manyPrincipals) }),
  };
  return shareSchema.parse({
    list: await bySize(subjects('list'), rounds, (subject) => listSample(subject, events)),
    authorizer: await bySize(subjects('authorizer'), rounds, (subject) => authorizerSample(subject, token)),
  });
};

/** Runs vary by more than neighbouring memory sizes differ. */
const memoryRuns = 4;

/** Measures the product alone, several times, to choose the memory by the mean. */
export const measureMemory = async (
  { product, tokenOf }: Harness,
  sizes: MemorySizes,
  rounds: number,
): Promise<Results['memoryRuns']> => {
  const candidates = { list: [product.list], authorizer: [product.authorizer] };
  const runs: Results['memoryRuns'] = [];
  while (runs.length < memoryRuns) runs.push(await measureShares({ candidates, tokenOf }, sizes, rounds));
  return runs;
};

/** The figures of each variant and size. */
const bySize = async (
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject) => Promise<Readonly<Record<string, number>>>,
): Promise<unknown> => {
  const samples = await inRounds(rounds, subjects, measure);
  const figures: Record<string, Record<string, unknown>> = {};
  for (const { name, candidate, share } of subjects) {
    (figures[candidate.name] ??= {})[String(share.memoryMb)] = summarize(samples.get(name) ?? []);
  }
  return figures;
};
