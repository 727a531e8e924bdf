import type { ColdSample, ColdStarts } from '../cold-start.ts';
import { largeList, type ListSample, type Load, loads } from '../list-cost.ts';
import { coldStartSchema, type ListCost, listCostSchema, type Results } from '../results.ts';
import type { Samples } from '../rounds.ts';
import type { Candidate } from '../harness.ts';
import { median, quartiles, rounded } from './statistics.ts';
import { baselines, type Task } from '../variants.ts';

/** Summarizes cold starts: medians, quartiles, and ratios to the baseline of the same round. */
export const coldStartResults = (
  { samples, modules }: ColdStarts,
  candidates: readonly Candidate[],
  task: Task,
): Results[Task] => {
  const baseline = samples.get(baselines[task]) ?? [];
  return Object.fromEntries(
    candidates.map(({ name, bundleBytes }) => {
      const ofVariant = samples.get(name) ?? [];
      const figures = ofVariant.map((sample, round) => ({
        ...sample,
        coldMs: coldMsOf(sample),
        coldRatio: coldMsOf(sample) / coldMsOf(baseline[round]),
        cpuRatio: sample.cpuMs / (baseline[round]?.cpuMs ?? NaN),
      }));
      return [name, coldStartSchema.parse({ ...summarize(figures), bundleBytes, ...modules.get(name) })];
    }),
  );
};

const coldMsOf = (sample: ColdSample | undefined): number => (sample ? sample.initMs + sample.firstMs : NaN);

/** Summarizes the cost of the large list by variant. */
export const largeResults = (samples: Samples<ListSample>): Results['large'] => {
  const baseline = samples.get(baselines.list) ?? [];
  return Object.fromEntries(
    [...samples].map(([name, ofVariant]) => {
      const ratios = ofVariant.map(({ cpuMs }, round) => cpuMs / (baseline[round]?.cpuMs ?? NaN));
      return [name, { ...listCost(largeList, ofVariant), cpuRatio: rounded(median(ratios), 3) }];
    }),
  );
};

/** Summarizes the product's cost of every load. */
export const scaleResults = (samples: Samples<ListSample>): Pick<Results, 'scale' | 'growth'> => {
  const scale = loads.map((load, index) => listCost(load, samples.get(String(index)) ?? []));
  return { scale, growth: growthOf(scale) };
};

const listCost = (load: Load, samples: readonly ListSample[]): ListCost =>
  listCostSchema.parse({ ...load, ...summarize(samples) });

// For smaller lists, the request itself costs more than its plants.
const smallestForGrowth = 1000;

const growthOf = (scale: readonly ListCost[]): Results['growth'] => {
  const largest = Math.max(...scale.map(({ plants }) => plants));
  return scale
    .filter(({ plants }) => plants === smallestForGrowth)
    .flatMap(({ principals, encoding, ...from }) =>
      scale
        .filter((to) => to.plants === largest && to.principals === principals && to.encoding === encoding)
        .map((to) => {
          const thousands = (to.plants - from.plants) / 1000;
          return {
            principals,
            encoding,
            warmMsPerThousand: rounded((to.warmMs - from.warmMs) / thousands, 2),
            cpuMsPerThousand: rounded((to.cpuMs - from.cpuMs) / thousands, 2),
            rssMbPerThousand: rounded((to.rssMb - from.rssMb) / thousands, 2),
            cpuExponent: rounded(Math.log(to.cpuMs / from.cpuMs) / Math.log(to.plants / from.plants), 2),
          };
        }),
    );
};

/** Decimal places of a figure; more would only show noise. */
const digits: Readonly<Record<string, number>> = {
  coldRatio: 3,
  cpuRatio: 3,
  warmMs: 2,
  cpuMs: 2,
  billedMs: 2,
  usdPerMillion: 4,
  resultBytes: 0,
};

/** The median of every figure, and in `quartiles` the range of the middle half. */
export const summarize = <Figure extends string>(
  samples: readonly Readonly<Record<Figure, number>>[],
): Record<string, unknown> => {
  const [first] = samples;
  if (first === undefined) throw new Error('There are no samples.');
  const figures = Object.keys(first)
    .filter((name): name is Figure => name in first)
    .map((name) => {
      const { q1, median: middle, q3 } = quartiles(samples.map((sample) => sample[name]));
      const write = (value: number): number => rounded(value, digits[name] ?? 1);
      return { name, middle: write(middle), range: { q1: write(q1), q3: write(q3) } };
    });
  return {
    ...Object.fromEntries(figures.map(({ name, middle }) => [name, middle])),
    quartiles: Object.fromEntries(figures.map(({ name, range }) => [name, range])),
  };
};
