import dynalite from 'dynalite';
import { vi } from 'vitest';
import { gatewayServer, httpApi } from '../../local/gateway/gateway.ts';
import { lambdaFunction } from '../../local/lambda.ts';
import { startAuthorizer } from '../attacks/authorizer.ts';
import { credentials, dynamoDbTable, region } from '../support/table/dynamodb-table.ts';
import { issuerOf } from '../support/issuer.ts';
import { startServer, stopServer } from '../support/loopback-server.ts';
import { operations } from '../support/operations.ts';
import { rsaKey } from '../support/tokens.ts';
import { describeContract } from './contract.ts';
import { apiGateway, type Target } from './target.ts';

/** The functions in this process behind the local gateway. */
const start = async (): Promise<Target> => {
  const store = dynalite({ createTableMs: 0 });
  const endpoint = await startServer(store);
  const plants = dynamoDbTable(endpoint, 'plants');
  await plants.create();
  const issuer = issuerOf(rsaKey('in-process'), 'https://issuer', 'plants');
  const authorizer = startAuthorizer(issuer);

  const variables = {
    // A developer's, which the AWS SDK would prefer.
    AWS_PROFILE: undefined,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    TABLE_NAME: 'plants',
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  // Another test may have loaded the handlers with other variables.
  vi.resetModules();
  for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue();
  const routes = await Promise.all(
    operations.map(async ({ route, folder }) => {
      const module: unknown = await import(`../../functions/${folder}/handler.ts`);
      return { key: route, invoke: lambdaFunction(folder, module, 10).invoke };
    }),
  );
  const { authorize: handler } = authorizer;
  const { invoke } = lambdaFunction('authorizer', { handler, warmUp: () => undefined }, 5);
  const gateway = gatewayServer(httpApi(routes, invoke, 60));
  return {
    baseUrl: await startServer(gateway),
    gateway: apiGateway,
    put: plants.put,
    remove: plants.remove,
    issuer,
    stop: async () => {
      plants.close();
      await Promise.all([gateway, store].map(stopServer));
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    },
  };
};

describeContract('the functions in process', start);
