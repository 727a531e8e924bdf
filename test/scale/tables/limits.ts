import { number, type Table } from '../document.ts';
import type { Inputs } from '../inputs.ts';
import { limits } from '../limits.ts';
import { coldEnvironments, inFlight, lambdaRate, largestStep, neededQuota } from '../load.ts';
import { type ListSize, plants, unitsOf } from '../reads.ts';
import { rampSeconds, rates } from './load.ts';
import { hotUnits } from './reads.ts';

const bold = (text: string): string => `**${text}**`;
const boldIf = (exceeded: boolean, text: string): string => (exceeded ? bold(text) : text);

const quotas = (inputs: Inputs): Table => {
  const need = (
    size: ListSize,
    of: (size: ListSize, rps: number) => number,
    quota: number,
  ): readonly string[] => rates.map((rps) => boldIf(of(size, rps) > quota, number(of(size, rps))));
  const both = (of: (size: ListSize, rps: number) => number, quota: number): readonly string[] => {
    const long = need('long', of, quota);
    return need('short', of, quota).map((short, index) => `${short} (4,000: ${long[index] ?? ''})`);
  };
  const { list, authorizer } = coldEnvironments(inputs, 1000);
  const environments = number(list + authorizer, 0);
  const perRamp = (2 * limits.scalingEnvironments) / limits.scalingIntervalSeconds;
  return {
    columns: ['quota', 'default'],
    rows: [
      [number(inputs.throttle)],
      [
        `${number(limits.gatewayPerSecond)} per account; ${number(limits.gatewayPerSecondSmallRegions)} in 13 Regions`,
      ],
      [
        `${number(limits.lambdaConcurrency)}, to tens of thousands`,
        ...both((size, rps) => neededQuota(inputs, rps, size), limits.lambdaConcurrency),
      ],
      [
        `${number(limits.scalingEnvironments)} per 10 s, function`,
        undefined,
        `${environments} in one step`,
        `${number(rampSeconds(inputs, 100_000))} s of ramp; raising it: not confirmed here`,
      ],
      [number(limits.tableUnits), ...both((size, rps) => rps * unitsOf(inputs, size), limits.tableUnits)],
      [
        number(limits.partitionUnits),
        ...both((size, rps) => hotUnits(inputs, rps)[size], limits.partitionUnits),
      ],
      [
        undefined,
        undefined,
        undefined,
        `the same, from ${number(inFlight(inputs, 100_000).short)} environments and more`,
      ],
      [undefined, undefined, bold(`${environments} in one step`), bold(`${number(perRamp)} during the ramp`)],
    ].map((cells) => Array.from({ length: 5 }, (_, column) => cells[column - 1])),
  };
};

/** Left out of the order: the documents calculate for us-east-1, which is none of them. */
const smallRegions = 'API Gateway account, 13 Regions';

interface Limit {
  readonly name: string;
  readonly rate: Readonly<Record<ListSize, number>>;
  readonly seen: string;
}

/** The rate at which each default is reached. */
const reached = (inputs: Inputs): readonly Limit[] => {
  const limit = (name: string, seen: string, of: (size: ListSize) => number): Limit => ({
    name,
    seen,
    rate: { short: of('short'), long: of('long') },
  });
  const throttled = '400, error 2001';
  return [
    limit("the stage's throttle", '429', () => inputs.throttle),
    limit('step from zero', '500 or 503', (size) => largestStep(inputs, size).default),
    limit(smallRegions, '429', () => limits.gatewayPerSecondSmallRegions),
    limit("one group's partition", throttled, (size) => limits.partitionUnits / hotUnits(inputs, 1)[size]),
    limit('new table', throttled, (size) => limits.newTableUnits / unitsOf(inputs, size)),
    limit('Lambda, quota of 1,000', '500 or 503', (size) => lambdaRate(inputs, size)),
    limit('API Gateway account', '429', () => limits.gatewayPerSecond),
    limit('table quota', throttled, (size) => limits.tableUnits / unitsOf(inputs, size)),
  ];
};

const inOrder = (all: readonly Limit[], size: ListSize): readonly Limit[] =>
  all.toSorted((a, b) => a.rate[size] - b.rate[size]);

const limitRates = (inputs: Inputs): Table => ({
  columns: ['limit', 'lists of 20'],
  rows: inOrder(reached(inputs), 'short').map(({ name, rate, seen }) => [
    name,
    number(rate.short, 0),
    number(rate.long, 0),
    seen,
  ]),
});

const order = (inputs: Inputs): Table => ({
  columns: ['lists of', 'first'],
  rows: (['short', 'long'] as const).map((size) => {
    const ordered = inOrder(reached(inputs), size).filter(({ name }) => name !== smallRegions);
    return [
      number(plants[size]),
      ...ordered.slice(0, 3).map(({ name, rate }) => `${name} (${number(rate[size], 0)})`),
      ...rates.map((level) => {
        const count = ordered.filter(({ rate }) => rate[size] <= level).length;
        return count === 0 ? 'nothing' : `${number(count)} of ${number(ordered.length)}`;
      }),
    ];
  }),
});

/** The tables of sections 6 and 7. */
export const limitTables = (inputs: Inputs): readonly Table[] => [
  quotas(inputs),
  limitRates(inputs),
  order(inputs),
];
