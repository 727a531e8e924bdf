import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { encodePart, partsOf } from '../support/tokens.ts';
import type { ServiceResponse, Headers } from './client.ts';
import { isDescribed, withoutCursor } from './description.ts';
import { nextIn, type Plant, plantList } from './plants.ts';
import type { GatewayResponses } from './target.ts';

/** A service as one of its users sees it: without write access to the table or the issuer's key. */
export interface Service {
  readonly token: string;
  readonly gateway: GatewayResponses;
  /** Sends a request. Adds no token. */
  readonly send: (target: string, headers?: Headers, method?: string) => Promise<ServiceResponse>;
}

/**
 * Tests one statement of the contract.
 * @returns what could not be checked with this caller's plants, if anything
 * @throws {AssertionError} what was expected and received, without token, plant names and cursors
 */
export type Check = (service: Service) => Promise<string | undefined>;

/**
 * Lists the caller's plants.
 * @throws {AssertionError} when the response is not a list
 */
export const list = async (service: Service, target = '/plants'): Promise<readonly Plant[]> =>
  plantsOf(target, await get(service, target));

const get = ({ send, token }: Service, target: string, headers: Headers = {}): Promise<ServiceResponse> =>
  send(target, { authorization: `Bearer ${token}`, ...headers });

const plantsOf = (target: string, response: ServiceResponse): readonly Plant[] => {
  expectStatus(`GET ${target}`, response, 200);
  const plants = plantList.safeParse(response.body);
  if (plants.success) return plants.data;
  const [issue] = plants.error.issues;
  assert.fail(
    `GET ${withoutCursor(target)}: expected a list of plants; received another body ` +
      `(${issue?.path.join('/') ?? ''}: ${issue?.message ?? ''})`,
  );
};

const errorIn = ({ body }: ServiceResponse): unknown =>
  typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;

const statusAndError = (status: number, error: unknown): string =>
  `status ${String(status)}${typeof error === 'number' ? ` with error ${String(error)}` : ''}`;

const expectStatus = (request: string, response: ServiceResponse, status: number, error?: number): void => {
  assert(
    response.status === status && (error === undefined || errorIn(response) === error),
    `${withoutCursor(request)}: expected ${statusAndError(status, error)}; ` +
      `received ${statusAndError(response.status, errorIn(response))}`,
  );
};

const expectPlants = (request: string, plants: readonly Plant[], expected: readonly Plant[]): void => {
  assert(
    plants.length === expected.length,
    `${request}: expected ${String(expected.length)} plants; received ${String(plants.length)}`,
  );
  const different = plants.findIndex((plant, index) => !isDeepStrictEqual(plant, expected[index]));
  assert(
    different === -1,
    `${request}: expected the plants of the whole list; received a different plant ${String(different + 1)}`,
  );
};

const expectGatewayResponse = (
  request: string,
  response: ServiceResponse,
  [status, body]: readonly [number, unknown],
): void => {
  expectStatus(request, response, status);
  assert(
    isDeepStrictEqual(response.body, body),
    `${request}: expected the gateway's body ${JSON.stringify(body)}; received another`,
  );
};

const fewerThanTwo = 'the caller has fewer than two plants';

const byteOrder: Check = async (service) => {
  const names = (await list(service)).map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    assert(
      Buffer.compare(Buffer.from(names[index - 1] ?? ''), Buffer.from(name)) <= 0,
      'GET /plants: expected names in UTF-8 byte order; ' +
        `received plant ${String(index + 1)}, which belongs before plant ${String(index)}`,
    );
  }
  if (names.length < 2) return `the order, as ${fewerThanTwo}`;
  // The default compares UTF-16 units.
  return isDeepStrictEqual(names.toSorted(), names)
    ? 'the order of bytes rather than of UTF-16 units, which needs plants such as "\uff21" and "\u{1f335}"'
    : undefined;
};

const limits: Check = async (service) => {
  const plants = await list(service);
  const count = plants.length;
  for (const limit of new Set([0, 1, 2, Math.max(count - 1, 0), count, count + 1, 2_147_483_647])) {
    const target = `/plants?limit=${String(limit)}`;
    expectPlants(`GET ${target}`, await list(service, target), plants.slice(0, limit));
  }
  return count < 2 ? `a limit below the number of plants, as ${fewerThanTwo}` : undefined;
};

const links: Check = async (service) => {
  const plants = await list(service);
  const count = plants.length;
  for (const query of ['', '?limit=0', `?limit=${String(Math.max(count, 1))}`]) {
    const { headers } = await get(service, `/plants${query}`);
    assert(
      headers['link'] === undefined,
      `GET /plants${query}: expected no Link, as no page follows; received one`,
    );
  }
  const third = Math.ceil(count / 3);
  for (const limit of third === 0 ? [] : [third, third + 1]) {
    expectPlants(
      `GET /plants?limit=${String(limit)} and its links`,
      await alongLinks(service, limit, count),
      plants,
    );
  }
  return count < 2 ? `a second page, as ${fewerThanTwo}` : undefined;
};

const wrongLimits: Check = async (service) => {
  for (const limit of ['', '-1', '05', '1e3', '2147483648', 'x', '1&limit=1']) {
    const target = `/plants?limit=${limit}`;
    expectStatus(`GET ${target}`, await get(service, target), 400, 1001);
  }
  return undefined;
};

const wrongCursors: Check = async (service) => {
  for (const cursor of ['', 'x', 'AAAAAAA']) {
    const target = `/plants?limit=1&cursor=${cursor}`;
    expectStatus(`GET ${target}`, await get(service, target), 400, 1002);
  }
  const next = nextIn(await get(service, '/plants?limit=1'));
  if (next === undefined) return 'an altered cursor, as no response had a cursor';
  expectStatus('GET /plants with an altered cursor', await get(service, altered(next)), 400, 1002);
  return undefined;
};

const noAuthorization: Check = async ({ send }) => {
  expectGatewayResponse('GET /plants without Authorization', await send('/plants'), [
    401,
    { message: 'Unauthorized' },
  ]);
  return undefined;
};

const alteredTokens: Check = async ({ send, token, gateway }) => {
  const [header, payload, signature] = partsOf(token);
  const tokens = {
    'an altered signature': [header, payload, altered(signature)],
    'altered claims': [header, altered(payload), signature],
    'no signature': [header, payload, ''],
    'an algorithm of none': [encodePart({ typ: 'at+jwt', alg: 'none' }), payload, ''],
  };
  for (const [what, parts] of Object.entries(tokens)) {
    const response = await send('/plants', { authorization: `Bearer ${parts.join('.')}` });
    expectGatewayResponse(`GET /plants with ${what}`, response, gateway.forbidden);
  }
  return undefined;
};

const otherRoutes: Check = async ({ send, token, gateway }) => {
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/plant'],
    ['GET', '/plants/1'],
    ['POST', '/plants'],
    ['DELETE', '/plants'],
  ] as const) {
    if (isDescribed(method, path)) continue;
    const response = await send(path, { authorization: `Bearer ${token}` }, method);
    expectGatewayResponse(`${method} ${path}`, response, gateway.notFound);
  }
  return undefined;
};

const compression: Check = async (service) => {
  const plain = await get(service, '/plants');
  const isLarge = plain.bytes > 8192;
  for (const coding of ['br', 'gzip']) {
    const response = await get(service, '/plants', { 'accept-encoding': coding });
    const request = `GET /plants with Accept-Encoding ${coding}`;
    const expected = isLarge ? coding : undefined;
    const received = response.headers['content-encoding'];
    assert(
      received === expected,
      `${request}: expected Content-Encoding ${expected ?? 'absent'}; received ${received ?? 'none'}`,
    );
    expectPlants(request, plantsOf('/plants', response), plantsOf('/plants', plain));
  }
  return isLarge ? undefined : "compression, as the caller's list is not above 8 KB";
};

/** The plants of all pages, from the first to the one without a `Link`. */
const alongLinks = async (service: Service, limit: number, count: number): Promise<readonly Plant[]> => {
  const plants: Plant[] = [];
  let target: string | undefined = `/plants?limit=${String(limit)}`;
  // Links in a circle must not make an endless loop.
  while (target !== undefined && plants.length <= count) {
    const response: ServiceResponse = await get(service, target);
    const page = plantsOf(target, response);
    plants.push(...page);
    const next = nextIn(response);
    assert(
      next !== undefined || plants.length >= count,
      `GET ${withoutCursor(target)}: expected a Link to the next list page, as ` +
        `${String(count - plants.length)} more plants follow; received none`,
    );
    assert(page.length > 0, `GET ${withoutCursor(target)}: expected plants on the list page; received none`);
    target = next;
  }
  return plants;
};

/** Changes a character near the end, but not the last one, which can hold unused bits. */
const altered = (text: string): string =>
  text.slice(0, -5) + (text.at(-5) === 'A' ? 'B' : 'A') + text.slice(-4);

/** The read-only part of the contract, for a service that is in use. */
export const readOnlyChecks: Readonly<Record<string, Check>> = {
  'lists plants by name in UTF-8 byte order': byteOrder,
  'lists the first `limit` plants': limits,
  'sends a Link to the next list page, and lists each plant exactly once across all': links,
  'rejects an invalid limit with error 1001': wrongLimits,
  'rejects an invalid cursor with error 1002': wrongCursors,
  'rejects a request without an Authorization header': noAuthorization,
  'rejects an altered token': alteredTokens,
  'has no other path and no other method': otherRoutes,
  'lists the same plants when compressed': compression,
};
