import type { PlantKey } from '../../functions/plant-store/plant-items.ts';
import { StoreUnavailable } from '../../functions/plant-store/plant-store.ts';
import type { VersionedPlant } from '../../table/item.ts';
import { changedPlant } from '../../table/json-fields.ts';
import type { RequestKey, RequestRecord } from '../../table/request-record.ts';
import { firstVersion } from '../../table/version.ts';
import { compareBytes } from '../support/table/memory-plant-store.ts';
import { sortKeyOf } from '../support/table/plants.ts';
import type { Engine, Ports } from './engine.ts';
import { portsThrough } from './ports-through.ts';

/** A table in memory. Each method is atomic, as a request to DynamoDB is. */
const memoryPorts = (records: Map<RequestKey, RequestRecord>): Ports => {
  const partitions = new Map<string, Map<string, VersionedPlant>>();
  const itemsOf = ({ principal }: Pick<PlantKey, 'principal'>): Map<string, VersionedPlant> => {
    const items = partitions.get(principal) ?? new Map<string, VersionedPlant>();
    partitions.set(principal, items);
    return items;
  };
  return {
    items: {
      find: (key) => Promise.resolve(itemsOf(key).get(key.id)),
      add: ({ principal, plant, origin }) => {
        const items = itemsOf({ principal });
        const version = firstVersion(principal, plant);
        if (!items.has(plant.id))
          items.set(plant.id, { plant, version, ...(origin !== undefined && { origin }) });
        return Promise.resolve();
      },
      change: (key, { change, version, nextVersion }) => {
        const found = itemsOf(key).get(key.id);
        if (found?.version !== version) return Promise.resolve(false);
        itemsOf(key).set(key.id, {
          ...found,
          plant: changedPlant(found.plant, change),
          version: nextVersion,
        });
        return Promise.resolve(true);
      },
      delete: (key, condition) => {
        const found = itemsOf(key).get(key.id);
        const holds =
          condition === undefined ||
          ('version' in condition
            ? found?.version === condition.version
            : found?.origin?.attempt === condition.attempt);
        return Promise.resolve(holds && itemsOf(key).delete(key.id));
      },
    },
    records: {
      start: (record, now) => {
        const found = records.get(record.key);
        if (found !== undefined && found.expires > Math.floor(now / 1000)) return Promise.resolve(false);
        records.set(record.key, record);
        return Promise.resolve(true);
      },
      find: (key) => Promise.resolve(records.get(key)),
      finish: ({ key, id }) => {
        const found = records.get(key);
        if (found?.id !== id || found.state !== 'started') return Promise.resolve(false);
        records.set(key, { ...found, state: 'done' });
        return Promise.resolve(true);
      },
      markDeleted: ({ key, id }, attempt) => {
        const found = records.get(key);
        if (found?.id === id && found.state !== 'deleted')
          records.set(key, { ...found, state: 'deleted', deletedAttempt: attempt });
        return Promise.resolve();
      },
    },
    store: {
      read: (query) =>
        Promise.resolve({
          plants: [...itemsOf(query).values()]
            .map(({ plant }) => ({ sortKey: sortKeyOf(plant.id), plant }))
            .toSorted((a, b) => compareBytes(a.sortKey, b.sortKey)),
          damaged: 0,
        }),
    },
  };
};

/** A table in memory, with the client's retries. */
export const memoryEngine = (): Engine => {
  const records = new Map<RequestKey, RequestRecord>();
  const observer = memoryPorts(records);
  let lost = 0;
  const ports = portsThrough(observer, async (call, send) => {
    const attempts = call.kind === 'add' && call.isSentOnce ? 1 : 3;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const result = await send();
      if (lost === 0) return result;
      lost -= 1;
    }
    throw new StoreUnavailable(new Error('ResponseLost'));
  });
  return {
    ports,
    observer,
    loseResponses: (count) => {
      lost = count;
    },
    removeRecord: (key) => {
      records.delete(key);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
};
