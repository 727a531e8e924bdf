import type { PlantItems, RequestRecords } from '../../functions/plant-store/plant-items.ts';
import type { PlantStore } from '../../functions/plant-store/plant-store.ts';
import type { RequestKey } from '../../table/request-record.ts';

/** The ports of the operations. */
export interface Ports {
  readonly items: PlantItems;
  readonly records: RequestRecords;
  readonly store: PlantStore;
}

/** A table in which the model runs. */
export interface Engine {
  /** The ports of the operations, whose responses can be lost. */
  readonly ports: Ports;
  /** The ports of the observer, whose responses are never lost. */
  readonly observer: Ports;
  /** Loses the next `count` responses. The client sends a request up to three times. */
  readonly loseResponses: (count: number) => void;
  /** Removes a record, as DynamoDB removes expired records. */
  readonly removeRecord: (key: RequestKey) => Promise<void>;
  readonly close: () => Promise<void>;
}
