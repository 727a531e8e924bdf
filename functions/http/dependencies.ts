import { dynamoDbClient } from '../plant-store/dynamodb-client.ts';
import { dynamoDbPlantStore } from '../plant-store/dynamodb-plant-store.ts';
import { credentialsFrom, type Environment, variable } from '../shared/environment.ts';
import { logger } from '../shared/logger.ts';
import type { Dependencies } from './operation.ts';

/** @throws {Error} a sentence that names a missing variable of the function */
export const dependenciesFrom = (environment: Environment): Dependencies => {
  const client = dynamoDbClient({
    region: variable(environment, 'AWS_REGION'),
    credentials: credentialsFrom(environment),
    endpoint: variable(environment, 'AWS_ENDPOINT_URL_DYNAMODB'),
  });
  return {
    store: dynamoDbPlantStore(client, variable(environment, 'TABLE_NAME')),
    log: logger(console, environment),
    now: () => Date.now(),
  };
};
