import { smallList } from '../cold-start.ts';
import { authorizerEvent, listEvent } from '../lambda/events.ts';
import type { Harness } from '../harness.ts';
import { largeList, manyPrincipals } from '../list-cost.ts';
import { callerOf } from '../backend/plants.ts';
import { type Results, shareSchema } from '../results.ts';
import { inRounds } from '../rounds.ts';
import { summarize } from '../reporting/summary.ts';
import { baselines, productName, type Task } from '../variants.ts';
import { type CpuShare, makeCpuShare } from './cpu-share.ts';
import { type MemorySizes, pairSizes } from './memory-sizes.ts';
import { authorizerSample, listSample, pairSample, type Subject } from './samples.ts';

/** The variants of both functions that are measured one after the other. */
const pairs: Readonly<Record<string, Readonly<Record<Task, string>>>> = {
  [productName]: { authorizer: productName, list: productName },
  documented: baselines,
  empty: { authorizer: 'empty', list: 'empty' },
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
): Promise<readonly Results['share'][]> => {
  const ofProduct = <C extends { readonly name: string }>(candidates: readonly C[]): readonly C[] =>
    candidates.filter(({ name }) => name === productName);
  const { list, authorizer } = harness.candidates;
  const candidates = { list: ofProduct(list), authorizer: ofProduct(authorizer) };
  const runs: Results['share'][] = [];
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
  { candidates, issuer, expiresAt }: Harness,
  sizes: MemorySizes,
  rounds: number,
): Promise<Results['share']> => {
  const cells = (task: Task): readonly Cell[] =>
    candidates[task].flatMap((candidate) =>
      shares.map((share) => {
        const isSecondary =
          task === 'list' && candidate.kind === 'alternative' && candidate.name !== baselines.list;
        const name = cellName(candidate.name, share.memoryMb);
        return { name, candidate, share, everyRounds: isSecondary ? roundsBetween : 1 };
      }),
    );
  const measuredCells = (task: Task): readonly Cell[] =>
    cells(task).filter(({ share }) => sizes[task].includes(share.memoryMb));
  const pairCell = (task: Task, variant: string): Cell => {
    const name = cellName(variant, pairSizes[task]);
    const found = cells(task).find((cell) => cell.name === name);
    if (found === undefined) throw new Error(`No ${task} function is ${name}.`);
    return found;
  };
  const caller = callerOf(smallList, expiresAt);
  const token = authorizerEvent(await issuer.sign(caller));
  const events = {
    small: listEvent({ caller }),
    large: listEvent({ caller: callerOf(largeList, expiresAt), acceptEncoding: 'br' }),
    manyPrincipals: listEvent({ caller: callerOf(manyPrincipals, expiresAt) }),
  };
  const pairCells = Object.entries(pairs)
    .filter(([, { list }]) => candidates.list.some(({ name }) => name === list))
    .map(([name, { authorizer, list }]) => ({
      name,
      inARow: [
        { ...pairCell('authorizer', authorizer), event: token },
        { ...pairCell('list', list), event: events.small },
      ],
    }));
  const pairSamples = await inRounds(rounds, pairCells, ({ inARow }) => pairSample(inARow));
  return shareSchema.parse({
    list: await bySize(measuredCells('list'), rounds, (cell) => listSample(cell, events)),
    authorizer: await bySize(measuredCells('authorizer'), rounds, (cell) => authorizerSample(cell, token)),
    pair: Object.fromEntries([...pairSamples].map(([name, samples]) => [name, summarize(samples)])),
  });
};

const cellName = (variant: string, memoryMb: number): string => `${variant} with ${String(memoryMb)} MB`;

/** The figures of each variant and size. */
const bySize = async <Figure extends string>(
  cells: readonly Cell[],
  rounds: number,
  measure: (cell: Cell) => Promise<Readonly<Record<Figure, number>>>,
): Promise<unknown> => {
  const samples = await inRounds(rounds, cells, measure);
  const figures: Record<string, Record<string, unknown>> = {};
  for (const { name, candidate, share } of cells) {
    (figures[candidate.name] ??= {})[String(share.memoryMb)] = summarize(samples.get(name) ?? []);
  }
  return figures;
};
