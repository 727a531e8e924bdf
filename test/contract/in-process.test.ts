import dynalite from 'dynalite';
import { z } from 'zod';
import { buildHandler } from '../../functions/http/build-handler.ts';
import { dynamoDbClient } from '../../functions/plant-store/dynamodb-client.ts';
import { dynamoDbPlantStore } from '../../functions/plant-store/dynamodb-plant-store.ts';
import { gatewayServer } from '../../local/gateway/gateway.ts';
import { apiResponder } from '../../local/gateway/api-responder.ts';
import { startAuthorizer } from '../attacks/authorizer.ts';
import { credentials, dynamoDbTable, region } from '../support/table/dynamodb-table.ts';
import { issuerOf } from '../support/issuer.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { startServer, stopServer } from '../support/loopback-server.ts';
import { operations } from '../support/operations.ts';
import { localStack } from '../support/synthesized.ts';
import { rsaKey } from '../support/tokens.ts';
import { describeContract } from './contract.ts';
import { apiGatewayResponses, type Target } from './target.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * The functions in this process behind the local gateway, with the synthesized stack's routes and settings.
 */
const start = async (): Promise<Target> => {
  const store = dynalite({ createTableMs: 0 });
  const endpoint = await startServer(store);
  const { routes, functions, table } = localStack();
  const plants = dynamoDbTable(endpoint, table.name);
  await plants.create();

  const isAuthorizer = (functionId: string): boolean =>
    routes.some(({ authorizer }) => authorizer?.functionId === functionId);
  const settings = functions.find(({ id }) => isAuthorizer(id))?.environment ?? {};
  const { TOKEN_ISSUER = '', AUDIENCE = '' } = settings;
  const issuer = issuerOf(rsaKey('in-process'), TOKEN_ISSUER, AUDIENCE);
  const authorizer = startAuthorizer(issuer, settings);

  const dependencies = {
    store: dynamoDbPlantStore(dynamoDbClient({ region, credentials, endpoint }), table.name),
    log: silent,
    now: Date.now,
  };
  const handlers = new Map(
    functions.map(({ id, source }) => {
      const operation = operations.find(({ folder }) => source.entry === `functions/${folder}/handler.ts`);
      return [
        id,
        operation && buildHandler(operation.respond, dependencies, operation.catalogue['deadlineExceeded']),
      ];
    }),
  );
  const invoke = async (functionId: string, event: unknown): Promise<unknown> => {
    const asPassed = z.looseObject({}).parse(JSON.parse(JSON.stringify(event)));
    const handle = handlers.get(functionId);
    const result = await (handle?.(asPassed, lambdaContext) ?? authorizer.authorize(asPassed));
    return JSON.parse(JSON.stringify(result));
  };
  const gateway = gatewayServer(apiResponder(routes, invoke));
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
