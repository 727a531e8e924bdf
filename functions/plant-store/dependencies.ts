import { dummyPrincipal } from '../../table/principal.ts';
import { type DynamoDbClient, dynamoDbClient } from '../dynamodb/client.ts';
import { credentialsFrom, type Environment, variable } from '../runtime/environment.ts';
import type { Log, OperationLogEntry } from '../runtime/log-events.ts';
import { logger } from '../runtime/logger.ts';
import { dynamoDbPlantStore } from './dynamodb-plant-store.ts';
import type { PlantStore } from './plant-store.ts';

/** The dependencies of an operation that reads plants. */
export interface Dependencies {
  readonly store: PlantStore;
  readonly log: Log<OperationLogEntry>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** @throws {Error} a sentence that names a missing variable of the function */
export const dependenciesFrom = (environment: Environment): Dependencies => ({
  store: dynamoDbPlantStore(clientFrom(environment), variable(environment, 'TABLE_NAME')),
  log: logger(console, environment),
  now: () => Date.now(),
});

/** @throws {Error} a sentence that names a missing variable of the function */
export const clientFrom = (environment: Environment): DynamoDbClient =>
  dynamoDbClient({
    region: variable(environment, 'AWS_REGION'),
    credentials: credentialsFrom(environment),
    endpoint: variable(environment, 'AWS_ENDPOINT_URL_DYNAMODB'),
  });

/** The dependencies of a warm-up: each read of the store is a query of an empty dummy partition. */
export const withDummyReads = (dependencies: Dependencies): Dependencies => ({
  ...dependencies,
  store: {
    read: (query, signal) => dependencies.store.read({ ...query, principal: dummyPrincipal }, signal),
  },
});
