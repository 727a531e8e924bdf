import type { Inputs } from './inputs.ts';
import { prices, tiered } from './limits.ts';
import { billedMs, listBilledMs, requestsPerMiss } from './load.ts';
import { type ListSize, plants, unitsOf } from './reads.ts';

/** Requests of a month, and what each of them is. */
export interface Month {
  readonly millions: number;
  readonly listMs: number;
  readonly units: number;
  readonly responseBytes: number;
}

/** In dollars. */
export type Cost = Readonly<
  Record<
    'httpApi' | 'lambdaRequests' | 'lambdaTime' | 'dynamoDb' | 'accessLog' | 'lambdaLog' | 'transfer',
    number
  >
>;

/** Bytes of a plant in the response, with what JSON needs. */
export const plantBytes = ({ stored }: Inputs): number =>
  '{"name":"","tag":""},'.length + stored.name + stored.tag;

/** Lists above 8 KB are compressed if the client accepts it. */
export const responseBytes = (inputs: Inputs, count: number, accepts = true): number => {
  const body = count * plantBytes(inputs) + 1;
  return inputs.headerBytes + (accepts && body > 8192 ? body * inputs.compression : body);
};

/** Lists at a steady rate for a month. */
export const monthOf = (inputs: Inputs, rps: number, size: ListSize): Month => ({
  millions: (rps * inputs.hoursPerMonth * 3600) / 1e6,
  listMs: listBilledMs(inputs, plants[size]),
  units: unitsOf(inputs, size),
  responseBytes: responseBytes(inputs, plants[size]),
});

/** Gigabyte-seconds of both functions for a million requests. */
export const gbSecondsPerMillion = (inputs: Inputs, listMs: number): number => {
  const { list, authorizer } = inputs;
  const authorizerMs = billedMs(inputs, authorizer) / requestsPerMiss(inputs);
  return (1000 * (listMs * list.memoryMb + authorizerMs * authorizer.memoryMb)) / 1024;
};

/** What a month costs in one Region. */
export const costOf = (inputs: Inputs, { millions, listMs, units, responseBytes: bytes }: Month): Cost => {
  const invocations = millions * (1 + 1 / requestsPerMiss(inputs));
  const gbOf = (each: number, count = millions): number => (count * each) / 1000;
  return {
    httpApi: tiered(millions, prices.million.httpApi),
    lambdaRequests: invocations * prices.million.lambdaRequests,
    lambdaTime: tiered(millions * gbSecondsPerMillion(inputs, listMs), prices.gbSecond),
    dynamoDb: millions * units * prices.million.readUnits,
    accessLog: gbOf(inputs.accessLogBytes) * prices.gb.accessLog,
    lambdaLog: tiered(gbOf(inputs.lambdaLogBytes, invocations), prices.gb.lambdaLog),
    transfer: tiered(gbOf(bytes), prices.gb.transfer),
  };
};

export const sumOf = (cost: Cost): number => Object.values(cost).reduce((sum, part) => sum + part, 0);
