import { costOf, responseBytes, sumOf } from '../cost.ts';
import { number, type Table } from '../document.ts';
import type { Inputs } from '../inputs.ts';
import { limits } from '../limits.ts';
import { listBilledMs } from '../load.ts';
import { compressedPlantBytes, itemBytes, listUnits, pagedUnits, plants, queryUnits } from '../reads.ts';

/** Of a chunk in the table: what half a unit reads. */
export const storedChunkBytes = 4096;

const first = plants.short;
const all = plants.long;

const pages = (inputs: Inputs): Table => {
  const bytes = itemBytes(inputs).table;
  /** A million lists of 4,000 plants, in dollars. */
  const price = (requests: number, limit: number, units: number): number =>
    sumOf(
      costOf(inputs, {
        millions: requests,
        listMs: listBilledMs(inputs, limit),
        units: units / requests,
        responseBytes: responseBytes(inputs, limit),
      }),
    );
  const units = (limit: number, principals: number): number =>
    limit === all ? listUnits(all, principals, bytes) : pagedUnits(all, limit, principals, bytes);
  const whole = price(1, all, units(all, inputs.principals));
  return {
    columns: ['plants per page', 'requests'],
    rows: [10, 20, 100, 1000, all].map((limit) => {
      const requests = Math.ceil(all / limit);
      const usd = price(requests, limit, units(limit, inputs.principals));
      return [
        limit === all ? 'all, without `limit`' : number(limit),
        number(requests),
        number(units(limit, 1)),
        number(units(limit, inputs.principals)),
        number(usd, 2),
        number(usd / whole, 1),
      ];
    }),
  };
};

/** Units that a hot group's partition must serve each second, if all callers read it. */
export const hotUnits = (inputs: Inputs, rps: number): Record<'short' | 'long', number> => ({
  short: rps * queryUnits(first + 1, itemBytes(inputs).table),
  long: rps * queryUnits(all, itemBytes(inputs).table),
});

export const partitions = (units: number): number => Math.ceil(units / limits.partitionUnits);

/** What each way of section 5 costs a hot group's partition, and how many lists per second it then serves. */
const hotGroup = (inputs: Inputs): Table => {
  const { table } = itemBytes(inputs);
  const compressed = compressedPlantBytes(inputs);
  const copies = partitions(hotUnits(inputs, 100_000).short);
  const chunkPlants = Math.floor(inputs.chunkBytes / table);
  const chunk = queryUnits(chunkPlants, table);
  const today = { short: queryUnits(first + 1, table), long: queryUnits(all, table) };
  const row = (name: string, short: number, long: number, factor = 1): readonly string[] => [
    name,
    ...[short, long].flatMap((units) => [number(units), number((factor * limits.partitionUnits) / units, 0)]),
  ];
  // An environment reads a chunk once while it is kept, and answers one list after another.
  const kept = (units: number, ms: number): readonly string[] => [
    `${number(units)} for each environment and ${number(inputs.keptSeconds)} s`,
    number((limits.partitionUnits / units) * ((inputs.keptSeconds * 1000) / ms)),
  ];
  return {
    columns: ['what to do', 'units for the first 20'],
    rows: [
      row('nothing', today.short, today.long),
      [
        `chunks of ${number(chunkPlants)} plants in the function`,
        ...kept(chunk, inputs.list.warmMs),
        ...kept(Math.ceil(all / chunkPlants) * chunk, inputs.list.largeMs),
      ],
      row(`${number(copies)} copies`, today.short, today.long, copies),
      // A consistent read costs two of what the others cost.
      row('version item, nothing changed', 2 * queryUnits(1, table), 2 * queryUnits(1, table)),
      row('compressed chunks in the table', queryUnits(1, storedChunkBytes), queryUnits(all, compressed)),
    ],
  };
};

/** The tables of sections 4 and 5. */
export const readTables = (inputs: Inputs): readonly Table[] => [pages(inputs), hotGroup(inputs)];
