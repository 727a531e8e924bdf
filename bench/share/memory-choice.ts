import type { Results } from '../results.ts';
import { mean } from '../reporting/statistics.ts';
import { productName, type Task } from '../variants.ts';
import { usdPerMillion } from './price.ts';

/** The means of a function's requests with one memory size. */
export interface MemoryCost {
  readonly memoryMb: number;
  /** Milliseconds of a request. */
  readonly ms: number;
  /** The price of the durations of a million requests, in US dollars. */
  readonly usdPerMillion: number;
}

/** The shares of the requests that are large lists and cold starts. */
const mix = { large: 0.1, cold: 0.001 } as const;

/**
 * How much more than the lowest price a faster size may cost: a share, or US dollars per million requests.
 * Half a cent is a quarter of a percent of what a million requests cost in all (docs/scale.md).
 */
const tolerance = { share: 0.1, usd: 0.005 } as const;

/** What the product's function costs with each memory size: the means of the runs. */
export const memoryCosts = (runs: readonly Results['share'][], task: Task): readonly MemoryCost[] => {
  const costs = runs.map((run) => costsOfRun(run, task));
  return (costs[0] ?? []).map(({ memoryMb }) => {
    const ofSize = costs.flatMap((each) => each.filter((cost) => cost.memoryMb === memoryMb));
    return {
      memoryMb,
      ms: mean(ofSize.map(({ ms }) => ms)),
      usdPerMillion: mean(ofSize.map((cost) => cost.usdPerMillion)),
    };
  });
};

/** The authorizer's requests are all alike. */
const costsOfRun = ({ list, authorizer }: Results['share'], task: Task): readonly MemoryCost[] =>
  task === 'list'
    ? Object.entries(list[productName] ?? {}).map(([mb, { largeMs, ...figures }]) =>
        withColdStarts(Number(mb), figures, {
          ms: (1 - mix.large) * figures.warmMs + mix.large * largeMs,
          billedMs: (1 - mix.large) * figures.billedMs + mix.large * Math.ceil(largeMs),
        }),
      )
    : Object.entries(authorizer[productName] ?? {}).map(([mb, figures]) =>
        withColdStarts(Number(mb), figures, { ms: figures.warmMs, billedMs: figures.billedMs }),
      );

/** Initialization is billed too (AWS: "Lambda pricing"). */
const withColdStarts = (
  memoryMb: number,
  { coldMs }: { readonly coldMs: number },
  warm: { readonly ms: number; readonly billedMs: number },
): MemoryCost => {
  const mixed = (warmMs: number, cold: number): number => (1 - mix.cold) * warmMs + mix.cold * cold;
  return {
    memoryMb,
    ms: mixed(warm.ms, coldMs),
    usdPerMillion: usdPerMillion(mixed(warm.billedMs, Math.ceil(coldMs)), memoryMb),
  };
};

/** The fastest size within the tolerance of the lowest price; undefined: nothing was measured. */
export const chosenMemory = (costs: readonly MemoryCost[]): MemoryCost | undefined => {
  const least = Math.min(...costs.map((cost) => cost.usdPerMillion));
  const most = least + Math.max(tolerance.share * least, tolerance.usd);
  return costs.filter((cost) => cost.usdPerMillion <= most).toSorted((a, b) => a.ms - b.ms)[0];
};
