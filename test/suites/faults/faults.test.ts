// The suite `faults` proves: when the store or the key set fails, the caller gets a documented response in
// time, and plants again afterwards. It cannot show how often AWS fails so.
import { createWriteStream, mkdirSync, writeFileSync, type WriteStream } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startFunctions } from '../../../local/lambda/functions.ts';
import { InvocationError } from '../../../local/lambda/invocation.ts';
import { gatewayServer } from '../../../local/gateway/gateway.ts';
import { apiResponder } from '../../../local/gateway/api-responder.ts';
import {
  issuerServer,
  jwksPath,
  loadOrCreateKey,
  readKey,
  type SigningKey,
} from '../../../local/issuer/issuer.ts';
import { listen, loopback } from '../../../local/listen.ts';
import { type ServiceResponse, send } from '../../contract/client.ts';
import { item } from '../../contract/plants.ts';
import { type BundledStack, bundledStack } from '../../support/bundled-stack.ts';
import { dynamoDbTable } from '../../support/table/dynamodb-table.ts';
import { issuerOf, type TokenChanges } from '../../support/issuer.ts';
import { copyProject, type LocalService, startService } from '../../support/service/local-service.ts';
import { readDocument } from '../../support/markdown.ts';
import { localKeyFrom } from '../../support/tokens.ts';
import { connectionFaults, type Fault, responseFaults } from './faults.ts';
import { type Observation, outcomes, outcomesIn } from './fault-table.ts';
import { type FaultyLink, openFaultyLink } from './faulty-link.ts';

const toxiproxy = z.url().parse(process.env['TOXIPROXY_ENDPOINT']);
const results = fileURLToPath(new URL('../../../test-results/suites/', import.meta.url));

type Sign = (changes?: TokenChanges) => string;

const project = copyProject();
let service: LocalService;
let stack: BundledStack;
/** What the functions log. */
let log: WriteStream;
/** The issuer after a change of its key, and the signers with either key. */
let nextIssuer: Server;
let nextIssuerUrl: string;
let signWithKnownKey: Sign;
let signWithNextKey: Sign;

const groups = ['a', 'b', 'c', 'd', 'e'];
const shortList = ['Aloe', 'Fern', 'Ivy', 'Moss', 'Rose'];
const good = { status: 200, body: shortList.map((name) => ({ name })) };
const undecided = { status: 500, body: { message: 'Internal Server Error' } };
/** An authorizer's copy of the key set is current until it is five seconds old. */
const untilRefresh = 5100;
/** 3.6 MB of plants in eight pages of the store: an item has the name twice. */
const longList = Array.from({ length: 4000 }, (_, index) =>
  item('user#long', `${'x'.repeat(880)} ${String(index).padStart(4, '0')}`, '1'),
);

beforeAll(async () => {
  mkdirSync(results, { recursive: true });
  log = createWriteStream(join(results, 'faults-functions.log'));
  service = await startService(project);
  stack = await bundledStack(project);
  const table = dynamoDbTable(service.storeEndpoint, service.tableName);
  await table.put([...shortList.map((name) => item('user#short', name, '1')), ...longList]);
  table.close();

  const nextKey = loadOrCreateKey(join(project.folder, '.local/next-key.json'));
  nextIssuer = issuerServer(nextKey);
  nextIssuerUrl = `http://${loopback}:${String(await listen(nextIssuer, 0, 'ISSUER_PORT'))}`;
  const signWith = (key: SigningKey): Sign =>
    issuerOf(localKeyFrom(key), service.issuer, service.audience).token;
  signWithKnownKey = signWith(readKey(service.keyFile));
  signWithNextKey = signWith(nextKey);
});

afterAll(async () => {
  nextIssuer.closeAllConnections();
  nextIssuer.close();
  await service.stop();
  project.remove();
});

/** The functions of the stack, with their own links to the store and to the key set. */
interface Deployed {
  readonly store: FaultyLink;
  readonly jwks: FaultyLink;
  /** Lists the plants with a new token, which is in no cache. */
  readonly list: (sign: Sign, claims: TokenChanges['claims']) => Promise<ServiceResponse>;
  /** Initializes the functions: on Lambda, this is no part of the first request's time. */
  readonly warmUp: () => Promise<unknown>;
  /** The errors of invocations, except those of an authorizer that reports that it cannot decide. */
  readonly lost: readonly string[];
}

const withDeployed = async (use: (deployed: Deployed) => Promise<void>): Promise<void> => {
  const store = await openFaultyLink(toxiproxy, service.storeEndpoint);
  const jwks = await openFaultyLink(toxiproxy, service.issuer);
  const overrides = {
    AWS_ENDPOINT_URL_DYNAMODB: store.url,
    TOKEN_ISSUER: service.issuer,
    JWKS_URI: `${jwks.url}${jwksPath}`,
  };
  const onLog = (line: string) => log.write(`${line}\n`);
  const { invoke, warmUp, retire } = startFunctions(stack.functions, overrides, onLog);
  const lost: string[] = [];
  const observed: typeof invoke = (functionId, event) =>
    invoke(functionId, event).catch((error: unknown) => {
      if (!(error instanceof InvocationError && error.message === 'JwksUnavailable'))
        lost.push(String(error));
      throw error;
    });
  const gateway = gatewayServer(apiResponder(stack.routes, observed));
  const baseUrl = `http://${loopback}:${String(await listen(gateway, 0, 'PORT'))}`;
  try {
    await use({
      store,
      jwks,
      lost,
      warmUp,
      list: async (sign, claims) => {
        const token = sign({ claims: { jti: crypto.randomUUID(), ...claims } });
        return send(baseUrl, '/plants', { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' });
      },
    });
  } finally {
    gateway.closeAllConnections();
    gateway.close();
    retire();
    await Promise.all([store.close(), jwks.close()]);
  }
};

/** A body as the document summarizes it. */
const summarized = z.union([
  z.object({ error: z.number() }).transform(({ error }) => `Error ${String(error)}`),
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.array(z.unknown()).transform(() => 'plants'),
]);

const secondsSince = (start: number): number => (performance.now() - start) / 1000;
const betweenRequests = 250;

const sides = ['store', 'store, first request', 'key set, no copy', 'key set, copy held'] as const;
const observations = new Map<string, Observation>();

interface Trial {
  readonly side: (typeof sides)[number];
  readonly fault: Fault;
  readonly link: FaultyLink;
  readonly ask: () => Promise<ServiceResponse>;
  /** Every response while the fault lasts. */
  readonly expected: { readonly status: number; readonly body: object };
  /** Done before the fault ends. */
  readonly meanwhile?: () => Promise<void>;
}

/**
 * Sends requests while a fault lasts, ends it, and sends requests until there is a good response.
 * @returns the number of the request that got it
 */
const observe = async ({ side, fault, link, ask, expected, meanwhile }: Trial): Promise<number> => {
  const { name, lasts = 0 } = fault;
  await link.begin(fault);
  const began = performance.now();
  let slowest = 0;
  let response: string;
  for (;;) {
    const asked = performance.now();
    const { status, body } = await ask();
    slowest = Math.max(slowest, secondsSince(asked));
    expect({ status, body }).toMatchObject(expected);
    response = summarized.parse(body);
    if (secondsSince(began) >= lasts) break;
    await delay(betweenRequests);
  }
  await meanwhile?.();

  await link.restore();
  const restored = performance.now();
  let request = 1;
  while ((await ask()).status !== 200) {
    await delay(betweenRequests);
    request += 1;
  }
  observations.set(`${side}: ${name}`, {
    side,
    status: expected.status,
    response,
    seconds: slowest,
    recovery: { seconds: secondsSince(restored), request },
  });
  return request;
};

const faults: readonly Fault[] = [...connectionFaults, ...responseFaults];
const storeFaults = faults.flatMap(({ store, ...fault }) =>
  store === undefined ? [] : [{ ...fault, expected: store }],
);
/** The others need connections that were open before. */
const firstRequestFaults = storeFaults.filter(({ name }) => !name.startsWith('open connections'));
const jwksFaults = faults.flatMap(({ jwks, ...fault }) =>
  jwks === undefined ? [] : [{ ...fault, expected: jwks }],
);
describe.concurrent('a caller gets', () => {
  const askStore = async (
    side: Trial['side'],
    { expected, ...fault }: (typeof storeFaults)[number],
    { store, lost, list }: Deployed,
  ): Promise<void> => {
    const request = await observe({
      side,
      fault,
      link: store,
      ask: () => list(signWithKnownKey, { sub: fault.list ?? 'short' }),
      expected: expected === 200 ? good : { status: 400, body: { error: expected } },
    });
    expect([request, lost]).toEqual([1, []]);
  };

  it.each(storeFaults)('$expected with this fault at the store: $name', (fault) =>
    withDeployed(async (deployed) => {
      // Several partitions at once open several connections.
      expect(await deployed.list(signWithKnownKey, { sub: 'short', groups })).toMatchObject(good);
      await askStore('store', fault, deployed);
    }),
  );

  it.each(firstRequestFaults)(
    '$expected with this fault at the store, also while the function warms up: $name',
    (fault) =>
      withDeployed((deployed) => {
        const begin: FaultyLink['begin'] = async (each) => {
          await deployed.store.begin(each);
          await deployed.warmUp();
        };
        return askStore('store, first request', fault, { ...deployed, store: { ...deployed.store, begin } });
      }),
  );

  it.each(jwksFaults)(
    '$expected with this fault at the key set, with no copy held: $name',
    ({ expected, ...fault }) =>
      withDeployed(async ({ jwks, lost, list }) => {
        await observe({
          side: 'key set, no copy',
          fault,
          link: jwks,
          ask: () => list(signWithKnownKey, { sub: 'short' }),
          expected: expected === 200 ? good : undecided,
        });
        expect(lost).toEqual([]);
      }),
  );

  it.each(jwksFaults)(
    'access with a known key, with this fault at a new key set: $name',
    ({ expected, ...fault }) =>
      withDeployed(async ({ jwks, lost, list }) => {
        expect(await list(signWithKnownKey, { sub: 'short' })).toMatchObject(good);
        jwks.leadTo(nextIssuerUrl);
        await delay(untilRefresh);
        await observe({
          side: 'key set, copy held',
          fault,
          link: jwks,
          ask: () => list(signWithNextKey, { sub: 'short' }),
          expected: expected === 200 ? good : undecided,
          meanwhile: async () => {
            const held = expected === 200 ? signWithNextKey : signWithKnownKey;
            expect(await list(held, { sub: 'short' })).toMatchObject(good);
          },
        });
        expect(lost).toEqual([]);
      }),
  );
});

describe('docs/faults.md', () => {
  it('has each outcome, with the number of faults that cause it', () => {
    const seen = sides.flatMap((side) =>
      faults.flatMap(({ name }) => observations.get(`${side}: ${name}`) ?? []),
    );
    expect(seen, 'one of the tests above failed').toHaveLength(
      storeFaults.length + firstRequestFaults.length + 2 * jwksFaults.length,
    );
    const table = outcomes(seen).join('\n');
    writeFileSync(join(results, 'faults.md'), table);
    const [, , ...documented] = outcomesIn(readDocument('docs/faults.md'));
    expect(documented, 'the rows of this run are in test-results/suites/faults.md').toEqual(
      outcomesIn(table),
    );
  });
});
