import { costOf, gbSecondsPerMillion, monthOf, sumOf } from '../cost.ts';
import { number, type Table, usd } from '../document.ts';
import type { Inputs } from '../inputs.ts';
import { prices, type Tiers } from '../limits.ts';
import { billedMs, neededQuota, requestsPerMiss } from '../load.ts';
import { plants, unitsOf } from '../reads.ts';
import { levers } from './levers.ts';
import { rates } from './load.ts';
import { hotUnits, partitions } from './reads.ts';

const gb = (memoryMb: number): string => `${number(memoryMb / 1024)} GB`;

/** Both functions' invocations, as a part of the requests. */
const invocations = (inputs: Inputs): string =>
  `${number(requestsPerMiss(inputs) + 1)}/${number(requestsPerMiss(inputs))}`;

const tiersText = (tiers: Tiers, scale: number, unit: string): string =>
  tiers
    .map(([end, price]) => {
      const dollars = `$${price.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 10 })}`;
      return end === Infinity ? `then ${dollars}` : `${dollars} to ${String(end / scale)} ${unit}`;
    })
    .join(', ');

const parts = (inputs: Inputs): Table => {
  const short = monthOf(inputs, 1, 'short');
  const long = monthOf(inputs, 1, 'long');
  const { list, authorizer } = inputs;
  const perMiss = `${number(billedMs(inputs, authorizer), 1)} ms × ${gb(authorizer.memoryMb)}`;
  const { million, gb: perGb } = prices;
  return {
    columns: ['part', 'per month'],
    rows: [
      [undefined, undefined, `per million: ${tiersText(million.httpApi, 1, 'million')}`],
      [undefined, `requests × ${invocations(inputs)}`, `${usd(million.lambdaRequests, 2)} per million`],
      [
        undefined,
        `requests × ${number(short.listMs, 1)} (${number(long.listMs, 1)}) ms × ${gb(list.memoryMb)} + requests / ${number(requestsPerMiss(inputs))} × ${perMiss}`,
        `per GB-s: ${tiersText(prices.gbSecond, 1e9, 'billion')}`,
      ],
      [
        undefined,
        `requests × ${number(short.units)} (${number(long.units)}) units`,
        `${usd(million.readUnits, 3)} per million`,
      ],
      [
        undefined,
        `requests × ${number(inputs.accessLogBytes)} bytes`,
        `${usd(perGb.accessLog, 2)} per GB (tiers: not confirmed here for access logs)`,
      ],
      [
        undefined,
        `requests × ${invocations(inputs)} × ${number(inputs.lambdaLogBytes)} bytes`,
        `per GB: ${tiersText(perGb.lambdaLog, 1000, 'TB')}`,
      ],
      [
        undefined,
        `requests × ${number(short.responseBytes)} (${number(long.responseBytes)}) bytes`,
        `per GB: ${tiersText(perGb.transfer, 1000, 'TB')}`,
      ],
    ].map((cells) => [...cells, undefined]),
  };
};

const months = (inputs: Inputs): Table => ({
  columns: ['list of', 'rps'],
  rows: (['short', 'long'] as const).flatMap((size) =>
    rates.map((rps) => {
      const month = monthOf(inputs, rps, size);
      const each = costOf(inputs, month);
      return [
        number(plants[size]),
        number(rps),
        number(month.millions, rps === 10 ? 2 : 0),
        ...Object.values(each).map((dollars) => number(dollars, 0)),
        `**${number(sumOf(each), 0)}**`,
        number(sumOf(each) / month.millions, 2),
      ];
    }),
  ),
});

const writes: Table = {
  columns: ['write, per million plants'],
  rows: [2, 1, 2].map((units) => [
    undefined,
    undefined,
    `${number(units)} million`,
    number(units * prices.million.writeUnits, 2),
  ]),
};

const regions = (inputs: Inputs): Table => ({
  columns: ['Regions', 'rps in each'],
  rows: [1, 2, 4, 10].map((count) => {
    const rps = 100_000 / count;
    return [
      number(count),
      number(rps),
      number(neededQuota(inputs, rps, 'short')),
      number(rps * unitsOf(inputs, 'short')),
      number(partitions(hotUnits(inputs, rps).short)),
      number(count * sumOf(costOf(inputs, monthOf(inputs, rps, 'short')))),
      number(count * 2 * prices.million.writeUnits, 2),
    ];
  }),
});

/** The tables of sections 8 and 9. */
export const costTables = (inputs: Inputs): readonly Table[] => [
  parts(inputs),
  months(inputs),
  writes,
  levers(inputs),
  regions(inputs),
];

/** The runbook's table of a million requests. */
export const millionTable = (inputs: Inputs): Table => {
  const million = { ...monthOf(inputs, 1, 'short'), millions: 1 };
  const { listMs, units, responseBytes } = million;
  const { list, authorizer } = inputs;
  const cost = costOf(inputs, million);
  const authorizerMs = `${number(billedMs(inputs, authorizer), 1)} ms / ${number(requestsPerMiss(inputs))}`;
  const logGb = (inputs.lambdaLogBytes * (1 + 1 / requestsPerMiss(inputs))) / 1000;
  const amounts = [
    '1 million × $1.00',
    `${invocations(inputs)} million × $0.20`,
    `(${number(listMs, 1)} ms × ${gb(list.memoryMb)} + ${authorizerMs} × ${gb(authorizer.memoryMb)}) = ${number(gbSecondsPerMillion(inputs, listMs))} GB-s × $0.0000133334`,
    `${number(units)} million units × $0.125`,
    `${number(inputs.accessLogBytes / 1000)} GB × $0.50`,
    `${invocations(inputs)} × ${number(inputs.lambdaLogBytes)} bytes = ${number(logGb)} GB × $0.50`,
    `${number(responseBytes / 1000, 3)} GB × $0.09`,
  ];
  return {
    columns: ['part', 'per million requests'],
    rows: [
      ...Object.values(cost).map((dollars, index) => [undefined, amounts[index], number(dollars, 2)]),
      [undefined, undefined, `**${number(sumOf(cost), 2)}**`],
    ],
  };
};
