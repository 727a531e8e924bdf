import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { apiGateway, type Gateway, type Target } from '../contract/target.ts';
import { dynamoDbTable } from '../support/table/dynamodb-table.ts';
import { issuerOf } from '../support/issuer.ts';
import { copyProject } from '../support/service/project-copy.ts';
import { type LocalService, startService } from '../support/service/running-service.ts';
import { localKeyFrom } from '../support/signing-keys.ts';

/** Starts the service as `npm start` does, in a copy of the project, and returns a target of the contract. */
export const npmStart = async (environment: Readonly<Record<string, string>> = {}): Promise<Target> => {
  const project = copyProject();
  const service = await startService(project, environment);
  return targetOf(service, apiGateway, project.remove);
};

/** Makes a running service a target of the contract, whose `stop` calls `afterStop` at the end. */
export const targetOf = (service: LocalService, gateway: Gateway, afterStop: () => void): Target => {
  const plants = dynamoDbTable(service.storeEndpoint, service.tableName);
  const key = z.looseObject({ kid: z.string() }).parse(JSON.parse(readFileSync(service.keyFile, 'utf8')));
  return {
    baseUrl: service.baseUrl,
    gateway,
    put: plants.put,
    remove: plants.remove,
    issuer: issuerOf(localKeyFrom(key), service.issuer, service.audience),
    stop: async () => {
      plants.close();
      await service.stop();
      afterStop();
    },
  };
};
