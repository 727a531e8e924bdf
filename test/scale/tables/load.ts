import { plantBytes, responseBytes } from '../cost.ts';
import { number, type Table } from '../document.ts';
import type { Inputs } from '../inputs.ts';
import { limits } from '../limits.ts';
import {
  coldEnvironments,
  inFlight,
  invocations,
  largestStep,
  listBilledMs,
  neededQuota,
  requestsPerMiss,
} from '../load.ts';
import { itemBytes, plants } from '../reads.ts';

/** The rates that docs/scale.md calculates. */
export const rates = [10, 1000, 100_000] as const;

const bold = (text: string): string => `**${text}**`;

const derived = (inputs: Inputs): Table => {
  const { name, tag, id, principal } = inputs.stored;
  const bytes = itemBytes(inputs);
  const attributes = bytes.table - principal - bytes.sortKey - name - tag - id;
  const body = (count: number): number => count * plantBytes(inputs) + 1;
  const both = <T>(of: (count: number) => T): readonly T[] => [plants.short, plants.long].map(of);
  return {
    columns: ['derived', 'list of 20', 'list of 4,000'],
    rows: [
      ['average billed time', ...both((count) => `${number(listBilledMs(inputs, count), 1)} ms`)],
      [
        'item in the table',
        `${number(attributes)} (attribute names) + ${[principal, bytes.sortKey, name, tag, id].map(String).join(' + ')} = ${number(bytes.table)} bytes`,
        'the same',
      ],
      [
        'plant in the response',
        `\`{"name":"","tag":""},\` 21 + ${number(name)} + ${number(tag)} = ${number(plantBytes(inputs))} bytes`,
        'the same',
      ],
      [
        'body',
        `20 × ${number(plantBytes(inputs))} + 1 = ${number(body(plants.short))} bytes, not compressed`,
        `${number(body(plants.long))} bytes, compressed about ${number(body(plants.long) * inputs.compression)}`,
      ],
      ['response', ...both((count) => `${number(responseBytes(inputs, count))} bytes`)],
    ],
  };
};

const authorizerCache = (inputs: Inputs): Table => ({
  columns: ['requests per user and minute', 'misses'],
  rows: [1, inputs.requestsPerMinute, 60].map((perMinute) => {
    const requests = requestsPerMiss(inputs, perMinute);
    const isOurs = perMinute === inputs.requestsPerMinute;
    return [
      isOurs ? bold(number(perMinute)) : number(perMinute),
      isOurs ? bold(`1 / ${number(requests)}`) : `1 / ${number(requests)}`,
      `${number(100 * (1 - 1 / requests), 1)} %`,
      ...rates.map((rps) => `${number(rps / requests)} (${number((rps * 60) / perMinute)})`),
    ];
  }),
});

const concurrency = (inputs: Inputs): Table => ({
  columns: ['rps', 'list of 20 in flight'],
  rows: rates.map((rps) => {
    const { short, long, authorizer } = inFlight(inputs, rps);
    return [
      ...[rps, short, long, authorizer, invocations(inputs, rps)].map((value) => number(value)),
      number(neededQuota(inputs, rps, 'short')),
      number(neededQuota(inputs, rps, 'long')),
    ];
  }),
});

/** Seconds until Lambda has added what this rate needs. */
export const rampSeconds = (inputs: Inputs, rps: number): number =>
  limits.scalingIntervalSeconds *
  Math.ceil(
    Math.max(rps / limits.scalingPerSecond, inFlight(inputs, rps).short / limits.scalingEnvironments),
  );

const steps = (inputs: Inputs): Table => {
  const short = largestStep(inputs, 'short');
  const long = largestStep(inputs, 'long');
  const row = (rps: number, effect: string): readonly string[] => {
    const { authorizer, list } = coldEnvironments(inputs, rps);
    return [
      number(rps),
      `${number(authorizer, 0)} + ${number(list, 0)} = ${number(authorizer + list, 0)}`,
      effect,
    ];
  };
  const keySets = number(coldEnvironments(inputs, 1000).authorizer, 0);
  return {
    columns: ['step to', 'environments needed'],
    rows: [
      row(
        1000,
        `${short.default >= 1000 ? 'possible' : 'throttled at first'}. The issuer gets ${keySets} key set requests at once`,
      ),
      row(
        short.default,
        `the largest step without throttling; with lists of 4,000: ${number(long.default)}; with a larger quota: ${number(short.raised)} and ${number(long.raised)}`,
      ),
      row(
        100_000,
        `at least ${number(rampSeconds(inputs, 100_000))} s until all requests are served; until then the rest gets 500 or 503`,
      ),
    ],
  };
};

/** The tables of sections 1 to 3. */
export const loadTables = (inputs: Inputs): readonly Table[] => [
  derived(inputs),
  authorizerCache(inputs),
  concurrency(inputs),
  steps(inputs),
];
