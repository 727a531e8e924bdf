import { callerOf } from '../backend/plants.ts';
import { smallList } from '../cold-start.ts';
import type { Harness } from '../harness.ts';
import { authorizerEvent, listEvent } from '../lambda/events.ts';
import { largeList, manyPrincipals } from '../list-cost.ts';
import { summarize } from '../reporting/summary.ts';
import { type Results, shareSchema } from '../results.ts';
import { inRounds } from '../rounds.ts';
import { baselines, emptyName, productName, type Task } from '../variants.ts';
import { type CpuShare, makeCpuShare } from './cpu-share.ts';
import { type MemorySizes, pairSizes } from './memory-sizes.ts';
import { authorizerSample, coldSample, listSample, type Subject } from './samples.ts';

/** The variants of both functions that are measured one after the other. */
const pairs: Readonly<Record<string, Readonly<Record<Task, string>>>> = {
  [productName]: { authorizer: productName, list: productName },
  documented: baselines,
  [emptyName]: { authorizer: emptyName, list: emptyName },
};

/** How many rounds pass from one measurement of a list function's alternative to the next: they take the most time. */
const roundsBetween = 4;

/**
 * Measures every variant with the share of a processor that Lambda gives each memory size.
 * @returns undefined where this user cannot make control groups
 */
export const measureShares = async (
  harness: Harness,
  sizes: MemorySizes,
  rounds: number,
): Promise<Results['share'] | undefined> => {
  const wanted = new Set([...sizes.list, ...sizes.authorizer, pairSizes.list, pairSizes.authorizer]);
  const shares = [...wanted].flatMap((memoryMb) => makeCpuShare(memoryMb) ?? []);
  try {
    return shares.length === wanted.size ? await measureWith(shares, harness, sizes, rounds) : undefined;
  } finally {
    for (const share of shares) share.end();
  }
};

/** A single run can differ from the next by more than one memory size does from another. */
const memoryRuns = 4;

/** Measures the product alone, several times, to choose the memory by the mean. */
export const measureMemory = async (
  harness: Harness,
  sizes: MemorySizes,
  rounds: number,
): Promise<Results['memoryRuns']> => {
  const { list, authorizer } = harness.candidates;
  const candidates = {
    list: list.filter(({ name }) => name === productName),
    authorizer: authorizer.filter(({ name }) => name === productName),
  };
  const runs: Results['memoryRuns'] = [];
  for (let run = 0; run < memoryRuns; run += 1) {
    const measured = await measureShares({ ...harness, candidates }, sizes, rounds);
    if (measured !== undefined) runs.push(measured);
  }
  return runs;
};

interface Cell extends Subject {
  readonly name: string;
  readonly everyRounds: number;
}

const measureWith = async (
  shares: readonly CpuShare[],
  { candidates, issuer }: Harness,
  sizes: MemorySizes,
  rounds: number,
): Promise<Results['share']> => {
  const cells = (task: Task, memorySizes: readonly number[]): readonly Cell[] =>
    candidates[task].flatMap((candidate) => {
      const isSecondary =
        task === 'list' && candidate.kind === 'alternative' && candidate.name !== baselines.list;
      return shares
        .filter(({ memoryMb }) => memorySizes.includes(memoryMb))
        .map((share) => {
          const name = `${candidate.name} with ${String(share.memoryMb)} MB`;
          return { name, candidate, share, everyRounds: isSecondary ? roundsBetween : 1 };
        });
    });
  const caller = callerOf(smallList);
  const events = {
    token: authorizerEvent(await issuer.sign(caller)),
    small: listEvent({ caller }),
    large: listEvent({ caller: callerOf(largeList), acceptEncoding: 'br' }),
    manyPrincipals: listEvent({ caller: callerOf(manyPrincipals) }),
  };
  const first = { authorizer: events.token, list: events.small };
  const pairCells = Object.entries(pairs)
    .map(([name, pair]) => ({
      name,
      inARow: (['authorizer', 'list'] as const).flatMap((task) =>
        cells(task, [pairSizes[task]])
          .filter(({ candidate }) => candidate.name === pair[task])
          .map((cell) => ({ ...cell, event: first[task] })),
      ),
    }))
    // To choose the memory, only the product's pair is there.
    .filter(({ inARow }) => inARow.length > 0);
  const pairSamples = await inRounds(rounds, pairCells, async ({ inARow }) => {
    let sum = 0;
    for (const { event, ...subject } of inARow) sum += (await coldSample(subject, event)).coldMs;
    return { coldMs: sum };
  });
  return shareSchema.parse({
    list: await bySize(cells('list', sizes.list), rounds, (cell) => listSample(cell, events)),
    authorizer: await bySize(cells('authorizer', sizes.authorizer), rounds, (cell) =>
      authorizerSample(cell, events.token),
    ),
    pair: Object.fromEntries([...pairSamples].map(([name, samples]) => [name, summarize(samples)])),
  });
};

/** The figures of each variant and size. */
const bySize = async (
  cells: readonly Cell[],
  rounds: number,
  measure: (cell: Cell) => Promise<Readonly<Record<string, number>>>,
): Promise<unknown> => {
  const samples = await inRounds(rounds, cells, measure);
  const figures: Record<string, Record<string, unknown>> = {};
  for (const { name, candidate, share } of cells) {
    (figures[candidate.name] ??= {})[String(share.memoryMb)] = summarize(samples.get(name) ?? []);
  }
  return figures;
};
