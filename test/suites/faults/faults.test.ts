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
import { faults, type Outcome } from './faults.ts';
import { type FaultyServer, startFaultyServer } from './faulty-server.ts';

let storeEndpoint: string;

/** The environment variables of the functions that are the same in each test. */
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
/** A little over five seconds, the age from which an unknown key causes a new fetch of the key set. */
const minFetchAgeMs = 5100;
/**
 * 3,000 plants with names of 885 bytes and an attribute of 900 bytes that no response of the service
 * contains. They are 2.7 MB in a response of the service, and more than 5.4 MB in the store, with any sort
 * key. So the store needs at least six responses of up to 1 MB.
 */
const longList = Array.from({ length: 3000 }, (_, index) => ({
  ...item(
    'user#long',
    `${'x'.repeat(880)} ${String(index).padStart(4, '0')}`,
    String(index).padStart(4, '0'),
  ),
  other: { S: 'x'.repeat(900) },
}));

beforeAll(async () => {
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(() => undefined);
  storeEndpoint = await startServer(embeddedStore());
  const table = dynamoDbTable(storeEndpoint, environment.TABLE_NAME);
  await table.create();
  await table.put([...shortList.map((name) => item('user#short', name)), ...longList]);
  table.close();
});

type LoadedFunction = ReturnType<typeof lambdaFunction>;
let previousLoad: Promise<unknown> = Promise.resolve();

/**
 * Loads a new instance of a handler. Handlers are loaded one after the other, because they read the
 * environment variables of this process while they are loaded.
 */
const load = (
  name: string,
  timeoutSeconds: number,
  variables: Readonly<Record<string, string>>,
  isWarm = false,
) => {
  const handler = new URL(`../../../functions/${name}/handler.ts?${crypto.randomUUID()}`, import.meta.url);
  const loaded = previousLoad.then(async (): Promise<LoadedFunction> => {
    Object.assign(process.env, environment, variables);
    const lambda = lambdaFunction(name, await import(/* @vite-ignore */ handler.href), timeoutSeconds);
    // The AWS SDK, with which an operation may write, reads the variables at its first request. By then, they
    // can be those of another test, so the first request is sent here.
    if (isWarm) await lambda.warmUp();
    return lambda;
  });
  previousLoad = loaded;
  return loaded;
};

const listOperation = operations.find(({ id }) => id === 'ListPlants');

/** The authorizer and an operation, whose key set and store are faulty servers. */
interface FaultyService {
  readonly store: FaultyServer;
  readonly jwks: FaultyServer;
  /** Replaces the issuer's key. */
  readonly rotate: () => void;
  /** Lists the plants of a caller with a new token, which is in no cache. */
  readonly list: (issuer: Issuer, claims: object) => Promise<ServiceResponse>;
  /**
   * Sends the request of the pre-traffic hook to the operation, with a token of a new caller without plants.
   */
  readonly request: () => Promise<ServiceResponse>;
  /** Initializes the functions. On Lambda, the initialization is not part of the first request's time. */
  readonly warmUp: () => Promise<unknown>;
  /** The errors of invocations except `JwksUnavailable`, the authorizer's error when it cannot decide. */
  readonly invocationErrors: readonly string[];
}

/** Starts the service, and stops it after use. */
const withFaultyService = async (
  use: (service: FaultyService) => Promise<void>,
  operation = listOperation,
): Promise<void> => {
  if (operation === undefined) throw new Error('infra/operations.ts has no ListPlants.');
  let currentIssuer = knownIssuer;
  const respondWithKeys = (): Promise<BufferedReply> => {
    const body = Buffer.from(JSON.stringify({ keys: [currentIssuer.key.jwk] }));
    return Promise.resolve({ status: 200, headers: { 'content-type': 'application/json' }, body });
  };
  const store = await startFaultyServer((request) => forward(storeEndpoint, request));
  const jwks = await startFaultyServer(respondWithKeys);
  const variables = { AWS_ENDPOINT_URL_DYNAMODB: store.url, JWKS_URI: jwks.url };
  const authorizer = await load('authorizer', authorizerTimeoutSeconds, variables);
  const isWarm = operation !== listOperation;
  const operationFunction = await load(operation.folder, operationTimeoutSeconds, variables, isWarm);
  const invocationErrors: string[] = [];
  const recordingErrors =
    ({ invoke }: LoadedFunction): LoadedFunction['invoke'] =>
    (event) =>
      invoke(event).catch((error: unknown) => {
        if (!String(error).includes('JwksUnavailable')) invocationErrors.push(String(error));
        throw error;
      });
  const routes = [{ key: operation.route, invoke: recordingErrors(operationFunction) }];
  const gateway = gatewayServer(httpApi(routes, recordingErrors(authorizer), 60));
  const warmUp = (): Promise<unknown> => Promise.all([authorizer.warmUp(), operationFunction.warmUp()]);
  const baseUrl = await startServer(gateway);
  const list: FaultyService['list'] = ({ token }, claims) => {
    const authorization = `Bearer ${token({ claims: { jti: crypto.randomUUID(), ...claims } })}`;
    return send(baseUrl, '/plants', { authorization, 'accept-encoding': 'gzip' });
  };
  const request: FaultyService['request'] = () => {
    const { method, target, headers, content } = requestOf(operation);
    const authorization = `Bearer ${knownIssuer.token({ claims: { sub: crypto.randomUUID() } })}`;
    return send(baseUrl, target, { ...headers, authorization }, method, content);
  };
  const rotate = (): void => {
    currentIssuer = nextIssuer;
  };
  try {
    await use({ store, jwks, rotate, list, request, warmUp, invocationErrors });
    expect(invocationErrors).toEqual([]);
  } finally {
    await stopServer(gateway);
    await Promise.all([store.close(), jwks.close()]);
  }
};

const listOfPlants = { status: 200, body: shortList.map((name) => ({ name })) };
/** The response of each outcome. */
const responses: Readonly<Record<Outcome, object>> = {
  plants: listOfPlants,
  'status 500': { status: 500, body: { message: 'Internal Server Error' } },
  'error 2000': { status: 400, body: { error: 2000 } },
  'error 2001': { status: 400, body: { error: 2001 } },
  'error 2002': { status: 400, body: { error: 2002 } },
};

/** The faults that a server can have, with the responses that callers get. */
const faultsOf = (server: 'store' | 'jwks') =>
  faults.flatMap((fault) => {
    const outcome = fault[server];
    return outcome === undefined ? [] : [{ ...fault, outcome, expected: responses[outcome] }];
  });
const storeFaults = faultsOf('store');
/** The faults of the store that can begin before the first connection. */
const firstRequestFaults = storeFaults.filter(({ name }) => !name.startsWith('open connections'));
const jwksFaults = faultsOf('jwks');

describe.concurrent('a caller gets', () => {
  it.each(storeFaults)('$outcome while the store fails: $name', (fault) =>
    withFaultyService(async ({ store, list }) => {
      const listPlants = (): Promise<ServiceResponse> => list(knownIssuer, { sub: fault.list ?? 'short' });
      // The functions read the partitions of the groups at the same time, so they open several connections.
      expect(await list(knownIssuer, { sub: 'short', groups })).toMatchObject(listOfPlants);
      await fault.begin(store);
      expect(await listPlants()).toMatchObject(fault.expected);
      await store.restore();
      expect(await listPlants()).toMatchObject({ status: 200 });
    }),
  );

  it.each(firstRequestFaults)('$outcome while the store fails from the warm-up on: $name', (fault) =>
    withFaultyService(async ({ store, list, warmUp }) => {
      const listPlants = (): Promise<ServiceResponse> => list(knownIssuer, { sub: fault.list ?? 'short' });
      await fault.begin(store);
      await warmUp();
      expect(await listPlants()).toMatchObject(fault.expected);
      await store.restore();
      expect(await listPlants()).toMatchObject({ status: 200 });
    }),
  );

  /** Sends requests until one gets a 200. Without a 200, the test ends at its timeout. */
  const waitForRecovery = async (sendRequest: () => Promise<ServiceResponse>): Promise<void> => {
    while ((await sendRequest()).status !== 200) await delay(250);
  };

  it.each(jwksFaults)('$outcome while the key set fails from the warm-up on: $name', (fault) =>
    withFaultyService(async ({ jwks, list, warmUp }) => {
      const listPlants = (): Promise<ServiceResponse> => list(knownIssuer, { sub: 'short' });
      await fault.begin(jwks);
      await warmUp();
      expect(await listPlants()).toMatchObject(fault.expected);
      await jwks.restore();
      await waitForRecovery(listPlants);
    }),
  );

  it.each(jwksFaults)(
    '$outcome for a new key while the key set fails, and plants for a cached key: $name',
    (fault) =>
      withFaultyService(async ({ jwks, rotate, list }) => {
        const listPlants = (): Promise<ServiceResponse> => list(nextIssuer, { sub: 'short' });
        expect(await list(knownIssuer, { sub: 'short' })).toMatchObject(listOfPlants);
        rotate();
        await delay(minFetchAgeMs);
        await fault.begin(jwks);
        expect(await listPlants()).toMatchObject(fault.expected);
        // If the fault is harmless, the key set was fetched again, and the new key replaced the old one.
        const isHarmless = fault.outcome === 'plants';
        const issuerOfCachedKey = isHarmless ? nextIssuer : knownIssuer;
        expect(await list(issuerOfCachedKey, { sub: 'short' })).toMatchObject(listOfPlants);
        await jwks.restore();
        await waitForRecovery(listPlants);
      }),
  );
});

/** The faults of the store, with the responses that an operation other than the list can give. */
const operationFaults = storeFaults
  .filter(({ list }) => list === undefined)
  .map(({ name, begin, outcome, onlyForQuery = false }) => {
    const canFail = outcome !== 'plants';
    const canSucceed = !canFail || onlyForQuery;
    const outcomes = [
      ...(canSucceed ? ['its usual response'] : []),
      ...(canFail ? ['an error from 2000 to 2002'] : []),
    ];
    return { name, begin, canFail, canSucceed, outcome: outcomes.join(' or ') };
  });
const documentedError: unknown = expect.toBeOneOf([2000, 2001, 2002]);
const otherOperations = operations.filter((operation) => operation !== listOperation);

describe.concurrent.each(otherOperations)('a caller without plants gets from $route', (operation) => {
  const usualResponse = responseOf(operation);

  it.each(operationFaults)('$outcome while the store fails: $name', ({ begin, canFail, canSucceed }) =>
    withFaultyService(async ({ store, request }) => {
      // This request opens a connection, which the fault can then break.
      expect(await request()).toMatchObject(usualResponse);
      await begin(store);
      const response = await request();
      const fails = canFail && (!canSucceed || response.status === 400);
      const expected = fails ? { status: 400, body: { error: documentedError } } : usualResponse;
      expect(response).toMatchObject(expected);
      await store.restore();
      expect(await request()).toMatchObject(usualResponse);
    }, operation),
  );
});
