import { costOf, monthOf, responseBytes, sumOf } from '../cost.ts';
import { number, type Table, usd } from '../document.ts';
import type { Inputs } from '../inputs.ts';
import { prices } from '../limits.ts';
import { billedMs, requestsPerMiss } from '../load.ts';
import { itemBytes, listUnits, plants } from '../reads.ts';

/** GB of functions' log lines that a month adds. */
const lambdaLogGb = (inputs: Inputs, rps: number): number =>
  (monthOf(inputs, rps, 'short').millions * (1 + 1 / requestsPerMiss(inputs)) * inputs.lambdaLogBytes) / 1000;

/** A year of logs, in dollars per month. */
export const storedLogs = (inputs: Inputs, rps: number): number =>
  12 *
  (lambdaLogGb(inputs, rps) + (monthOf(inputs, rps, 'short').millions * inputs.accessLogBytes) / 1000) *
  prices.gb.logStorage;

/** What lowers the cost. */
export const levers = (inputs: Inputs): Table => {
  const { principals, authorizer, hoursPerMonth } = inputs;
  const most = monthOf(inputs, 100_000, 'short');
  const mostCost = costOf(inputs, most);
  const long = monthOf(inputs, 1000, 'long');
  const longCost = costOf(inputs, long);
  const bytes = itemBytes(inputs);

  const logStorage = 12 * lambdaLogGb(inputs, 100_000) * prices.gb.logStorage;
  const provisioned = 100_000 * most.units * prices.provisionedReadUnitHour * hoursPerMonth;
  const authorizerMillion =
    prices.million.lambdaRequests +
    ((billedMs(inputs, authorizer) * 1000 * authorizer.memoryMb) / 1024) * prices.gbSecond[0][1];
  const cachedLonger = { ...inputs, authorizer: { ...authorizer, cacheSeconds: 300 } };
  const misses = 1 / requestsPerMiss(inputs) - 1 / requestsPerMiss(cachedLonger);
  const plain = costOf(inputs, { ...long, responseBytes: responseBytes(inputs, plants.long, false) });
  const unitsFor = (item: number): number => listUnits(plants.long, principals, item);
  const savedShare = (item: number): number => 1 - unitsFor(item - bytes.nameAttribute) / unitsFor(item);
  const shorter = (item: number): string =>
    `items of ${number(item - bytes.nameAttribute)} bytes instead of ${number(item)}: ${number(unitsFor(item - bytes.nameAttribute))} units instead of ${number(unitsFor(item))}, ${number(100 * savedShare(item), 1)} %`;
  const unchanged = 0.9;
  // Versions and items are read consistently, at twice the price.
  const versioned = costOf(inputs, {
    millions: long.millions,
    listMs: unchanged * most.listMs + (1 - unchanged) * long.listMs,
    units: principals + (1 - unchanged) * 2 * long.units,
    responseBytes: unchanged * inputs.headerBytes + (1 - unchanged) * long.responseBytes,
  });
  return {
    columns: ['lever', 'saves per month'],
    rows: [
      `${usd(mostCost.lambdaLog)}, and up to ${usd(logStorage)} of storage`,
      `${number(mostCost.dynamoDb, 0)} − ${number(100_000 * most.units)} × $0.00013 × ${number(hoursPerMonth)} h = ${usd(mostCost.dynamoDb - provisioned)}`,
      `${number(principals - 1)} of ${number(principals)} Queries, if many callers share the groups: ${usd((mostCost.dynamoDb * (principals - 1)) / principals)}`,
      `(1/${number(requestsPerMiss(inputs))} − 1/${number(requestsPerMiss(cachedLonger))}) × ${number(most.millions)} × ${usd(authorizerMillion, 3)} = ${usd(misses * most.millions * authorizerMillion)}`,
      `${number(plain.transfer)} − ${number(longCost.transfer)} = ${usd(plain.transfer - longCost.transfer)} against plain ${number(responseBytes(inputs, plants.long, false))} bytes`,
      usd(sumOf(longCost) - sumOf(versioned)),
      `${shorter(bytes.table)}, ${usd(longCost.dynamoDb * savedShare(bytes.table))}; without \`plantId\`, ${shorter(bytes.table - bytes.plantIdAttribute)}`,
    ].map((saves) => [undefined, saves, undefined]),
  };
};
