import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { dynamoDbTable } from '../support/dynamodb-table.ts';
import { copyProject, startService } from '../support/local-service.ts';
import { tokenSigner } from '../support/token-signer.ts';
import { describeContract } from './contract.ts';
import { apiGatewayAnswers, type Target } from './target.ts';

/** The service as a developer runs it. */
const start = async (): Promise<Target> => {
  const project = copyProject();
  const service = await startService(project);
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

describeContract('npm start', start);
