// The suite `faults` proves: when the store or the key set fails, the caller gets a documented response in
// time, and plants again afterwards. It cannot show how often AWS fails in these ways.
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { gatewayServer } from '../../../local/gateway/gateway-server.ts';
import { httpApi } from '../../../local/gateway/http-api.ts';
import { lambdaFunction } from '../../../local/lambda/invoke.ts';
import { embeddedStore } from '../../../local/store/embedded-store.ts';
import type { ServiceResponse } from '../../../smoke/client.ts';
import { send } from '../../contract/described-responses.ts';
import { operations } from '../../../infra/operations.ts';
import { authorizerTimeoutSeconds, operationTimeoutSeconds } from '../../../infra/timeouts.ts';
import { requestOf, responseOf } from '../../support/operation-request.ts';
import { item } from '../../support/table/plants.ts';
import { type Issuer, issuerOf } from '../../support/issuer.ts';
import { forward, type BufferedReply } from '../../support/fake-server.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { dynamoDbTable } from '../../support/table/dynamodb-table.ts';
import { ecKey } from '../../support/signing-keys.ts';
import { faults } from './faults.ts';
import { type FaultyServer, startFaultyServer } from './faulty-server.ts';

let storeEndpoint: string;

const environment = {
  ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
  ...{ TABLE_NAME: 'plants', TOKEN_PROFILE: 'rfc9068', TOKEN_ISSUER: 'https://issuer', AUDIENCE: 'plants' },
  ...{ TOKEN_ALGORITHMS: 'RS256,ES256,EdDSA', GROUPS_CLAIM: 'groups' },
};
const issuerWith = (kid: string): Issuer =>
  issuerOf(ecKey(kid), environment.TOKEN_ISSUER, environment.AUDIENCE);
/** The issuer before and after a change of its key. */
const knownIssuer = issuerWith('known');
const nextIssuer = issuerWith('next');

const groups = ['a', 'b', 'c', 'd', 'e'];
const shortList = ['Aloe', 'Fern', 'Ivy', 'Moss', 'Rose'];
/** Just over the five seconds in which no token causes another fetch of the key set. */
const minFetchAgeMs = 5100;
/** 3.6 MB of plants in eight responses of the store: an item has the name twice. */
const longList = Array.from({ length: 4000 }, (_, index) =>
  item('user#long', `${'x'.repeat(880)} ${String(index).padStart(4, '0')}`, String(index).padStart(4, '0')),
);

beforeAll(async () => {
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
  storeEndpoint = await startServer(embeddedStore());
  const table = dynamoDbTable(storeEndpoint, environment.TABLE_NAME);
  await table.create();
  await table.put([...shortList.map((name) => item('user#short', name)), ...longList]);
  table.close();
});

type Started = ReturnType<typeof lambdaFunction>;
let loading: Promise<unknown> = Promise.resolve();

/** Loads a handler of its own for each test, one at a time, because it reads this process's variables. */
const load = (
  name: string,
  timeoutSeconds: number,
  variables: Readonly<Record<string, string>>,
  isWarm = false,
) => {
  const handler = new URL(`../../../functions/${name}/handler.ts?${crypto.randomUUID()}`, import.meta.url);
  const loaded = loading.then(async (): Promise<Started> => {
    Object.assign(process.env, environment, variables);
    const lambda = lambdaFunction(name, await import(/* @vite-ignore */ handler.href), timeoutSeconds);
    // The AWS SDK, with which an operation may write, reads the variables at its first request.
    if (isWarm) await lambda.warmUp();
    return lambda;
  });
  loading = loaded;
  return loaded;
};

const listPlants = operations.find(({ id }) => id === 'ListPlants');

/** The authorizer and an operation, with a faulty server each as their store and as their key set. */
interface Deployed {
  readonly store: FaultyServer;
  readonly jwks: FaultyServer;
  /** Changes the issuer's key. */
  readonly rotate: () => void;
  /** Lists the plants with a new token, which is in no cache. */
  readonly list: (issuer: Issuer, claims: object) => Promise<ServiceResponse>;
  /** Sends the operation's own request, each time with the token of a new caller, who has no plants. */
  readonly request: () => Promise<ServiceResponse>;
  /** Initializes the functions: on Lambda, this is not part of the first request's time. */
  readonly warmUp: () => Promise<unknown>;
  /** The errors of invocations except `JwksUnavailable`, the authorizer's error when it cannot decide. */
  readonly invocationErrors: readonly string[];
}

const withDeployed = async (
  use: (deployed: Deployed) => Promise<void>,
  operation = listPlants,
): Promise<void> => {
  if (operation === undefined) throw new Error('The list is no operation.');
  let current = knownIssuer;
  const respondWithKeys = (): Promise<BufferedReply> => {
    const body = Buffer.from(JSON.stringify({ keys: [current.key.jwk] }));
    return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body });
  };
  const store = await startFaultyServer((request) => forward(storeEndpoint, request));
  const jwks = await startFaultyServer(respondWithKeys);
  const variables = { AWS_ENDPOINT_URL_DYNAMODB: store.url, JWKS_URI: jwks.url };
  const authorizer = await load('authorizer', authorizerTimeoutSeconds, variables);
  const deployed = await load(operation.folder, operationTimeoutSeconds, variables, operation !== listPlants);
  const invocationErrors: string[] = [];
  const observed =
    ({ invoke }: Started): Started['invoke'] =>
    (event) =>
      invoke(event).catch((error: unknown) => {
        if (!String(error).includes('JwksUnavailable')) invocationErrors.push(String(error));
        throw error;
      });
  const routes = [{ key: operation.route, invoke: observed(deployed) }];
  const gateway = gatewayServer(httpApi(routes, observed(authorizer), 60));
  const warmUp = (): Promise<unknown> => Promise.all([authorizer.warmUp(), deployed.warmUp()]);
  const baseUrl = await startServer(gateway);
  const list: Deployed['list'] = ({ token }, claims) => {
    const authorization = `Bearer ${token({ claims: { jti: crypto.randomUUID(), ...claims } })}`;
    return send(baseUrl, '/plants', { authorization, 'accept-encoding': 'gzip' });
  };
  const request: Deployed['request'] = () => {
    const { method, target, headers, content } = requestOf(operation);
    const authorization = `Bearer ${knownIssuer.token({ claims: { sub: crypto.randomUUID() } })}`;
    return send(baseUrl, target, { ...headers, authorization }, method, content);
  };
  const rotate = (): void => {
    current = nextIssuer;
  };
  try {
    await use({ store, jwks, rotate, list, request, warmUp, invocationErrors });
    expect(invocationErrors).toEqual([]);
  } finally {
    await stopServer(gateway);
    await Promise.all([store.close(), jwks.close()]);
  }
};

/** What a caller gets. */
const outcomes = {
  200: { summary: 'plants', expected: { status: 200, body: shortList.map((name) => ({ name })) } },
  500: { summary: 'a 500', expected: { status: 500, body: { message: 'Internal Server Error' } } },
  2000: { summary: 'error 2000', expected: { status: 400, body: { error: 2000 } } },
  2001: { summary: 'error 2001', expected: { status: 400, body: { error: 2001 } } },
  2002: { summary: 'error 2002', expected: { status: 400, body: { error: 2002 } } },
} as const;
const good = outcomes[200].expected;

/** The faults of a server, with their outcomes. */
const faultsOf = (server: 'store' | 'jwks') =>
  faults.flatMap((fault) => {
    const outcome = fault[server];
    return outcome === undefined ? [] : [{ ...fault, ...outcomes[outcome] }];
  });
const storeFaults = faultsOf('store');
/** Without the faults that need a connection from before the fault. */
const firstRequestFaults = storeFaults.filter(({ name }) => !name.startsWith('open connections'));
const jwksFaults = faultsOf('jwks');

describe.concurrent('a caller gets', () => {
  it.each(storeFaults)('$summary while the store fails: $name', (fault) =>
    withDeployed(async ({ store, list }) => {
      const ask = (): Promise<ServiceResponse> => list(knownIssuer, { sub: fault.list ?? 'short' });
      // Several partitions at once open several connections.
      expect(await list(knownIssuer, { sub: 'short', groups })).toMatchObject(good);
      await fault.begin(store);
      expect(await ask()).toMatchObject(fault.expected);
      await store.restore();
      expect(await ask()).toMatchObject({ status: 200 });
    }),
  );

  it.each(firstRequestFaults)('$summary while the store fails from the warm-up on: $name', (fault) =>
    withDeployed(async ({ store, list, warmUp }) => {
      const ask = (): Promise<ServiceResponse> => list(knownIssuer, { sub: fault.list ?? 'short' });
      await fault.begin(store);
      await warmUp();
      expect(await ask()).toMatchObject(fault.expected);
      await store.restore();
      expect(await ask()).toMatchObject({ status: 200 });
    }),
  );

  const recover = async (ask: () => Promise<ServiceResponse>): Promise<void> => {
    while ((await ask()).status !== 200) await delay(250);
  };

  it.each(jwksFaults)('$summary while the key set fails from the warm-up on: $name', (fault) =>
    withDeployed(async ({ jwks, list, warmUp }) => {
      const ask = (): Promise<ServiceResponse> => list(knownIssuer, { sub: 'short' });
      await fault.begin(jwks);
      await warmUp();
      expect(await ask()).toMatchObject(fault.expected);
      await jwks.restore();
      await recover(ask);
    }),
  );

  it.each(jwksFaults)(
    '$summary with a new key while the key set fails, and plants with a cached key: $name',
    (fault) =>
      withDeployed(async ({ jwks, rotate, list }) => {
        const ask = (): Promise<ServiceResponse> => list(nextIssuer, { sub: 'short' });
        expect(await list(knownIssuer, { sub: 'short' })).toMatchObject(good);
        rotate();
        await delay(minFetchAgeMs);
        await fault.begin(jwks);
        expect(await ask()).toMatchObject(fault.expected);
        const held = fault.expected === good ? nextIssuer : knownIssuer;
        expect(await list(held, { sub: 'short' })).toMatchObject(good);
        await jwks.restore();
        await recover(ask);
      }),
  );
});

/** The faults at the store with what an operation other than the list responds. */
const operationFaults = storeFaults
  .filter(({ list }) => list === undefined)
  .map(({ expected, isOfQuery = false, ...fault }) => {
    const error = 'an error from 2000 to 2002';
    const [isHarmless, canSucceed] = [expected === good, expected === good || isOfQuery];
    const outcome = isHarmless ? 'its usual response' : canSucceed ? `its usual response or ${error}` : error;
    return { ...fault, isHarmless, canSucceed, outcome };
  });
const documentedError: unknown = expect.toBeOneOf([2000, 2001, 2002]);
const otherOperations = operations.filter((operation) => operation !== listPlants);

describe.concurrent.each(otherOperations)('a caller without plants gets from $route', (operation) => {
  const usual = responseOf(operation);

  it.each(operationFaults)('$outcome while the store fails: $name', ({ begin, isHarmless, canSucceed }) =>
    withDeployed(async ({ store, request }) => {
      // Opens a connection, which the fault can then break.
      expect(await request()).toMatchObject(usual);
      await begin(store);
      const response = await request();
      const isGood = isHarmless || (canSucceed && response.status !== 400);
      expect(response).toMatchObject(isGood ? usual : { status: 400, body: { error: documentedError } });
      await store.restore();
      expect(await request()).toMatchObject(usual);
    }, operation),
  );
});
