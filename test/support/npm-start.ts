import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { apiGatewayAnswers, type Target } from '../contract/target.ts';
import { dynamoDbTable } from './dynamodb-table.ts';
import { copyProject, startService } from './local-service.ts';
import { tokenSigner } from './token-signer.ts';

/** The service as a developer runs it, with what the environment changes. */
export const npmStart = async (environment: Readonly<Record<string, string>> = {}): Promise<Target> => {
  const project = copyProject();
  const service = await startService(project, environment);
  const plants = dynamoDbTable(service.storeEndpoint, service.tableName);
  const key = z.looseObject({ kty: z.string() }).parse(JSON.parse(readFileSync(service.keyFile, 'utf8')));
  return {
    baseUrl: service.baseUrl,
    gateway: apiGatewayAnswers,
    audience: service.audience,
    put: plants.put,
    remove: plants.remove,
    token: tokenSigner(key, service.issuer, service.audience),
    stop: async () => {
      plants.close();
      await service.stop();
      project.remove();
    },
  };
};
