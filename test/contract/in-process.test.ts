import dynalite from 'dynalite';
import { buildHandler } from '../../functions/http/build-handler.ts';
import { dynamoDbClient } from '../../functions/plant-store/dynamodb-client.ts';
import { dynamoDbPlantStore } from '../../functions/plant-store/dynamodb-plant-store.ts';
import { gatewayServer } from '../../local/gateway/gateway.ts';
import { httpApi } from '../../local/gateway/http-api.ts';
import { lambdaFunction } from '../../local/lambda.ts';
import { startAuthorizer } from '../attacks/authorizer.ts';
import { credentials, dynamoDbTable, region } from '../support/table/dynamodb-table.ts';
import { issuerOf } from '../support/issuer.ts';
import { startServer, stopServer } from '../support/loopback-server.ts';
import { operations } from '../support/operations.ts';
import { rsaKey } from '../support/tokens.ts';
import { describeContract } from './contract.ts';
import { apiGatewayResponses, type Target } from './target.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The functions in this process behind the local gateway. */
const start = async (): Promise<Target> => {
  const store = dynalite({ createTableMs: 0 });
  const endpoint = await startServer(store);
  const plants = dynamoDbTable(endpoint, 'plants');
  await plants.create();
  const issuer = issuerOf(rsaKey('in-process'), 'https://issuer', 'plants');
  const authorizer = startAuthorizer(issuer);

  const dependencies = {
    store: dynamoDbPlantStore(dynamoDbClient({ region, credentials, endpoint }), 'plants'),
    log: silent,
    now: Date.now,
  };
  const warmUp = (): void => undefined;
  const routes = operations.map(({ route, folder, respond, catalogue }) => {
    const handler = buildHandler(respond, dependencies, catalogue['deadlineExceeded']);
    return { key: route, invoke: lambdaFunction(folder, { handler, warmUp }, 10).invoke };
  });
  const { invoke } = lambdaFunction('authorizer', { handler: authorizer.authorize, warmUp }, 5);
  const gateway = gatewayServer(httpApi(routes, invoke, 60));
  return {
    baseUrl: await startServer(gateway),
    gateway: apiGatewayResponses,
    callersAtOnce: 50,
    put: plants.put,
    remove: plants.remove,
    issuer,
    stop: async () => {
      plants.close();
      await Promise.all([gateway, store].map(stopServer));
    },
  };
};

describeContract('the functions in process', start);
