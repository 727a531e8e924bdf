import { dynamoDbClient } from '../dynamodb/client.ts';
import { dynamoDbPlantStore } from './dynamodb-plant-store.ts';
import { credentialsFrom, type Environment, variable } from '../runtime/environment.ts';
import { logger } from '../runtime/logger.ts';
import type { Dependencies } from '../http/payload-format.ts';

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
