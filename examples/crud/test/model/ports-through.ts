import type { PlantKey } from '../../functions/plant-store/plant-items.ts';
import type { RequestKey } from '../../table/request-record.ts';
import type { Ports } from './engine.ts';

/** One request to the table. */
export type StoreCall =
  | { readonly kind: 'read' }
  | { readonly kind: 'find' | 'change' | 'delete'; readonly plant: PlantKey }
  /** `isSentOnce`: the client does not retry it. */
  | { readonly kind: 'add'; readonly plant: PlantKey; readonly isSentOnce: boolean }
  | { readonly kind: 'start' | 'find-record' | 'finish' | 'markDeleted'; readonly record: RequestKey };

/** Sends a request to the table, or does something else in its place. */
type Perform = <Result>(call: StoreCall, send: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** Ports whose requests all go through a function. */
export const portsThrough = ({ items, records, store }: Ports, perform: Perform): Ports => ({
  items: {
    find: (plant, signal) => perform({ kind: 'find', plant }, () => items.find(plant, signal), signal),
    add: (added, signal) => {
      const plant = { principal: added.principal, id: added.plant.id };
      const call = { kind: 'add', plant, isSentOnce: added.origin !== undefined } as const;
      return perform(call, () => items.add(added, signal), signal);
    },
    change: (plant, update, signal) =>
      perform({ kind: 'change', plant }, () => items.change(plant, update, signal), signal),
    delete: (plant, condition, signal) =>
      perform({ kind: 'delete', plant }, () => items.delete(plant, condition, signal), signal),
  },
  records: {
    start: (record, now, signal) =>
      perform({ kind: 'start', record: record.key }, () => records.start(record, now, signal), signal),
    find: (key, signal) =>
      perform({ kind: 'find-record', record: key }, () => records.find(key, signal), signal),
    finish: (plant, signal) =>
      perform({ kind: 'finish', record: plant.key }, () => records.finish(plant, signal), signal),
    markDeleted: (plant, attempt, signal) =>
      perform(
        { kind: 'markDeleted', record: plant.key },
        () => records.markDeleted(plant, attempt, signal),
        signal,
      ),
  },
  store: { read: (query, signal) => perform({ kind: 'read' }, () => store.read(query, signal), signal) },
});
