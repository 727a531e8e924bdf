import dynalite from 'dynalite';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { gatewayServer } from '../../local/gateway/gateway-server.ts';
import { httpApi } from '../../local/gateway/http-api.ts';
import { lambdaFunction } from '../../local/lambda/invoke.ts';
import { startAuthorizer } from '../attacks/authorizer.ts';
import { credentials, dynamoDbTable, region } from '../support/table/dynamodb-table.ts';
import { type GuardedStore, startGuardedStore } from '../support/table/guarded-store.ts';
import { issuerOf } from '../support/issuer.ts';
import { startServer, stopServer } from '../support/loopback-server.ts';
import { operations } from '../support/operation-catalogues.ts';
import { requestOf } from '../support/operation-request.ts';
import { rsaKey } from '../support/signing-keys.ts';
import type { ServiceResponse } from '../../smoke/client.ts';
import { describeContract } from './contract.ts';
import { send, unobserved } from './described-responses.ts';
import { partsWithGuard } from './parts.ts';
import { newName } from './plants.ts';
import { apiGateway, type Target } from './target.ts';

const tableName = 'plants';
let guard: GuardedStore;
let authorizerFails = false;

/** The functions in this process behind the local gateway. */
const start = async (): Promise<Target> => {
  const store = dynalite({ createTableMs: 0 });
  const endpoint = await startServer(store);
  const plants = dynamoDbTable(endpoint, tableName);
  await plants.create();
  guard = await startGuardedStore(endpoint, tableName, operations);
  const issuer = issuerOf(rsaKey('in-process'), 'https://issuer', 'plants');
  const authorizer = startAuthorizer(issuer);

  const variables = {
    // Unset, because the AWS SDK would prefer a developer's profile to the keys.
    AWS_PROFILE: undefined,
    AWS_REGION: region,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: guard.url,
    TABLE_NAME: tableName,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  // Another test may have loaded the handlers with other variables.
  vi.resetModules();
  for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockReturnValue();
  const routes = await Array.fromAsync(operations, async ({ id, route: key, folder }) => {
    // The guarded store tells operations apart by their access keys. On Lambda, each function has its own
    // keys.
    const useOwnKey = () => vi.stubEnv('AWS_ACCESS_KEY_ID', id);
    useOwnKey();
    const module: unknown = await import(`../../functions/${folder}/handler.ts`);
    const { invoke, warmUp } = lambdaFunction(folder, module, 10);
    await warmUp();
    const invokeWithOwnKey: typeof invoke = (event) => {
      useOwnKey();
      return invoke(event);
    };
    return { key, invoke: invokeWithOwnKey };
  });
  const handler: typeof authorizer.authorize = (event) =>
    authorizerFails ? Promise.reject(new Error('The authorizer fails.')) : authorizer.authorize(event);
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
      await guard.close();
      await Promise.all([gateway, store].map(stopServer));
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
    },
  };
};

/**
 * Statuses, and headers of a status, that `openapi.yaml` describes but no test here can show, with reasons.
 */
const notShown: Readonly<Record<string, string>> = {
  '401 x-amzn-remapped-www-authenticate': 'API Gateway alone may rename WWW-Authenticate',
  '413': 'a quota of API Gateway',
  '429': 'the throttle of API Gateway',
  '431': 'Node.js responds before the local gateway, without a body',
  '503': 'the timeout of API Gateway, and the capacity of Lambda',
};

const describeOperations = (target: () => Target): void => {
  afterEach(() => {
    authorizerFails = false;
    guard.fail(false);
    guard.intercept();
    vi.useRealTimers();
  });

  describe.each(operations)('$route', (operation) => {
    const { withoutPlants } = operation;
    const { method, target: path, headers, content } = requestOf(operation);
    const sendWith = (authorization?: string): Promise<ServiceResponse> => {
      const sent = { ...headers, ...(authorization !== undefined && { authorization }) };
      return send(target().baseUrl, path, sent, method, content);
    };
    /** The credentials of a caller without plants. */
    const newCaller = (): string => `Bearer ${target().issuer.token({ claims: { sub: newName('user') } })}`;

    it('responds to a caller without plants as withoutPlants in infra/operations.ts says', async () => {
      const { status, body } = await sendWith(newCaller());
      expect(status).toBe(withoutPlants.statusCode);
      if ('error' in withoutPlants) expect(body).toMatchObject({ error: withoutPlants.error });
      else if (withoutPlants.body !== undefined)
        expect(body === undefined ? '' : JSON.stringify(body)).toBe(withoutPlants.body);
    });

    it('responds with 401 to a request without a token', async () => {
      expect(await sendWith()).toMatchObject({ status: 401 });
    });

    it('responds with 403 to a request with a malformed token', async () => {
      expect(await sendWith('Bearer x')).toMatchObject({ status: 403 });
    });

    it('responds with error 1004 to a token that expired while the gateway cached the decision', async () => {
      const caller = newCaller();
      await sendWith(caller);
      vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
      expect(await sendWith(caller)).toMatchObject({ status: 401, body: { error: 1004 } });
    });

    it('responds with error 2001 and Retry-After while the store fails', async () => {
      guard.fail(true);
      const response = await sendWith(newCaller());
      expect(response).toMatchObject({ status: 400, headers: { 'retry-after': '1' }, body: { error: 2001 } });
    });

    it('responds with 500 while the authorizer fails', async () => {
      authorizerFails = true;
      expect(await sendWith(newCaller())).toMatchObject({ status: 500 });
    });
  });

  for (const [part, describePart] of Object.entries(partsWithGuard)) {
    describe(part, () => {
      describePart(target, () => guard);
    });
  }

  it('each operation uses exactly the actions on the table that infra/operations.ts names', () => {
    const named = operations.map(({ id, actions }) => [id, actions.toSorted()] as const);
    expect(guard.used()).toEqual(Object.fromEntries(named));
  });

  it('the tests show each described response, header and media type, except those with a reason', () => {
    const missing = unobserved();
    const isNamed = (name: string) => (part: string) => part.endsWith(` ${name}`);
    const names = Object.keys(notShown);
    expect(missing.filter((part) => !names.some((name) => isNamed(name)(part)))).toEqual([]);
    expect(names.filter((name) => !missing.some(isNamed(name)))).toEqual([]);
  });
};

describeContract('the functions in process', start, describeOperations);
