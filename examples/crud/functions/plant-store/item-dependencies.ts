import { randomUUIDv7 } from 'node:crypto';
import { dummyPrincipal } from '../../table/principal.ts';
import { type Environment, variable } from '../runtime/environment.ts';
import type { Log, OperationLogEntry } from '../runtime/log-events.ts';
import { logger } from '../runtime/logger.ts';
import { clientFrom } from './dependencies.ts';
import { dynamoDbPlantItems } from './dynamodb-plant-items.ts';
import { dynamoDbRequestRecords } from './dynamodb-request-records.ts';
import type { PlantItems, RequestRecords } from './plant-items.ts';

/** The dependencies of an operation that reads or writes single plants. */
export interface ItemDependencies {
  readonly items: PlantItems;
  readonly records: RequestRecords;
  readonly log: Log<OperationLogEntry>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The id of a new plant. */
  readonly newId: () => string;
}

/** @throws {Error} a sentence that names a missing variable of the function */
export const itemDependenciesFrom = (environment: Environment): ItemDependencies => {
  const client = clientFrom(environment);
  const tableName = variable(environment, 'TABLE_NAME');
  return {
    items: dynamoDbPlantItems(client, tableName),
    records: dynamoDbRequestRecords(client, tableName),
    log: logger(console, environment),
    now: () => Date.now(),
    // UUIDs of version 7 are in the order of their creation (RFC 9562 section 5.7), so the list is too.
    newId: () => randomUUIDv7(),
  };
};

/** The dependencies of a warm-up: each search of a plant reads an empty dummy partition. */
export const withDummyItems = (dependencies: ItemDependencies): ItemDependencies => ({
  ...dependencies,
  items: {
    ...dependencies.items,
    find: ({ id }, signal) => dependencies.items.find({ principal: dummyPrincipal, id }, signal),
  },
});
