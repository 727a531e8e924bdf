import { costOf, monthOf, plantBytes, sumOf } from './cost.ts';
import { number, usd } from './document.ts';
import type { Inputs } from './inputs.ts';
import { limits, prices } from './limits.ts';
import { storedLogs } from './tables/levers.ts';
import { coldEnvironments, requestsPerMiss } from './load.ts';
import { hotUnits, partitions, storedChunkBytes } from './tables/reads.ts';
import { compressedPlantBytes, firstPageUnits, itemBytes, listUnits, plants, unitsOf } from './reads.ts';

/** What a million lists cost, in dollars. */
const million = (inputs: Inputs, size: 'short' | 'long'): ReturnType<typeof costOf> =>
  costOf(inputs, { ...monthOf(inputs, 1, size), millions: 1 });

/** The sentences of docs/scale.md whose numbers follow from its inputs. */
export const scaleSentences = (inputs: Inputs): readonly string[] => {
  const bytes = itemBytes(inputs);
  const hits = (cacheSeconds: number): string => {
    const requests = requestsPerMiss({ ...inputs, authorizer: { ...inputs.authorizer, cacheSeconds } });
    return number(100 * (1 - 1 / requests), 1);
  };
  const logs = (rps: number): string => usd(storedLogs(inputs, rps));
  const ours = inputs.principals;
  const first = (principals: number): string => number(firstPageUnits(plants.short, principals, bytes.table));
  const all = (principals: number): string => number(listUnits(plants.long, principals, bytes.table));
  const units = 100_000 * unitsOf(inputs, 'short');
  const doublings = Math.ceil(Math.log2(units / limits.newTableUnits));
  const longUnits = unitsOf(inputs, 'long');
  const without = listUnits(plants.long, inputs.principals, bytes.table - bytes.plantIdAttribute);
  const whole = (10e6 * bytes.table) / 4096 / 2;
  const perPlant = plantBytes(inputs);
  const most = costOf(inputs, monthOf(inputs, 100_000, 'short'));
  const gbits = (monthOf(inputs, 100_000, 'long').responseBytes * 8 * 100_000) / 1e9;
  const { id, principal } = inputs.stored;
  const indexNames = bytes.index - principal - bytes.sortKey - id;
  const perMillion = bytes.index + 100 + bytes.plantIdAttribute;
  return [
    `${number(bytes.sortKey)} bytes are the sort key: name`,
    `for T = ${number(inputs.authorizer.cacheSeconds)} s`,
    `at ${number(inputs.requestsPerMinute)} per minute: 0 s gives 0 % hits, 300 s ${hits(300)} %, and 3,600 s ${hits(3600)} %`,
    `principal: 21 × ${number(bytes.table)} = ${number(21 * bytes.table)} bytes) cost ${first(1)} units with one principal, ${first(ours)} with ${number(ours)} and ${first(101)} with 101`,
    `evenly distributed, cost ${all(1)}, ${all(ours)} and at least ${all(101)}.`,
    `100,000 lists of 20 per second need ${number(partitions(hotUnits(inputs, 100_000).short))} partitions`,
    `here ${number(Math.floor((1024 * 1024) / bytes.table))} plants`,
    `From 12,000 to ${number(units)} takes ${number(doublings)} doublings, so about ${number(doublings * 30)} minutes`,
    `items of 4 KB with ${number(Math.floor(storedChunkBytes / compressedPlantBytes(inputs)))} plants each`,
    `the issuer must bear ${number(coldEnvironments(inputs, 1000).authorizer, 0)} key set requests`,
    `they need ${number((100_000 * longUnits) / limits.tableUnits, 0)} × the table's quota, and ${number(gbits, 0)} Gbit/s`,
    `6,291,456 / ${number(perPlant + 8)} = ${number(Math.floor(limits.responseBytes / (perPlant + 8)))} plants (${number(perPlant)} bytes and 8`,
    `is ${number(Math.floor((limits.responseBytes * 0.75) / (perPlant * inputs.compression)))} plants, with error 1003, and of the deadline`,
    `at ${number((inputs.list.deadlineMs * plants.long) / inputs.list.largeMs)} plants, with error 2002 (${number(inputs.list.deadlineMs)} ms`,
    `at most ${logs(10)}, ${logs(1000)} and ${logs(100_000)} a month`,
    `${number(indexNames)} (attribute names) + ${number(principal)} + ${number(bytes.sortKey)} + ${number(id)} = ${number(bytes.index)} bytes`,
    `(${number(bytes.index)} + 100 for each entry [D6] + ${number(bytes.plantIdAttribute)} for`,
    `= ${number(perMillion / 1000)} GB × $0.25 [P3] = ${usd((perMillion / 1000) * prices.gb.tableStorage, 2)} a month`,
    `makes an item ${number(bytes.table)} bytes instead of ${number(bytes.table - bytes.plantIdAttribute)}`,
    `a list of 4,000 ${number(longUnits)} units instead of ${number(without)}, which is ${usd((longUnits - without) * prices.million.readUnits, 2)} for a million lists`,
    `up to ${number(Math.floor(4096 / bytes.index))} grants (4,096 / ${number(bytes.index)})`,
    `${number(whole)} units, which takes ${number(whole / 500 / 60, 0)} minutes at 500 units`,
    `the HTTP API is ${number((100 * most.httpApi) / sumOf(most), 0)} % of the cost`,
    `costs its writes (${usd(2 * prices.million.writeUnits, 2)} per million`,
  ];
};

/** The runbook's sentences about the price. */
export const runbookSentences = (inputs: Inputs): readonly string[] => {
  const long = million(inputs, 'long');
  return [
    `plants it is ${usd(sumOf(long), 2)}, of which ${usd(long.dynamoDb, 2)} are reads of the table and ${usd(long.transfer, 2)} transfer`,
  ];
};

/** The price of another gateway in the decisions. */
export const decisionSentences = (inputs: Inputs): readonly string[] => {
  const short = sumOf(million(inputs, 'short'));
  return [`short lists from ${usd(short, 2)} to ${usd(short + 2.5, 2)}.`];
};

/** The size by which the objective recognizes a short list. */
export const objectiveSentences = (inputs: Inputs): readonly string[] => [
  `calculates ${number(plants.short * plantBytes(inputs) + 1)} for 20 plants`,
];
