import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { encodePart, partsOf } from '../support/tokens.ts';
import type { ServiceResponse, Headers } from './client.ts';
import { withoutCursor } from './description.ts';
import { nextIn, type Plant, plantList } from './plants.ts';
import type { GatewayResponses } from './target.ts';

/** A service as one of its users sees it, who can neither write to its table nor sign a token. */
export interface Service {
  readonly token: string;
  readonly gateway: GatewayResponses;
  /** Sends a request as it is, without the token. */
  readonly send: (target: string, headers?: Headers, method?: string) => Promise<ServiceResponse>;
}

/**
 * Holds a service against a statement of the contract.
 * @returns what this caller's plants did not let it see, if anything
 * @throws {AssertionError} which says what was expected and what came, without token, plant names and cursors
 */
export type Check = (service: Service) => Promise<string | undefined>;

/** Lists the caller's plants; fails unless a list comes. */
export const list = async (service: Service, target = '/plants'): Promise<readonly Plant[]> =>
  plantsOf(target, await get(service, target));

const get = (
  { send: ask, token }: Service,
  target: string,
  headers: Headers = {},
): Promise<ServiceResponse> => ask(target, { authorization: `Bearer ${token}`, ...headers });

const plantsOf = (target: string, answer: ServiceResponse): readonly Plant[] => {
  expectStatus(`GET ${target}`, answer, 200);
  const plants = plantList.safeParse(answer.body);
  if (plants.success) return plants.data;
  const [issue] = plants.error.issues;
  assert.fail(
    `GET ${withoutCursor(target)}: expected a list of plants; came another body ` +
      `(${issue?.path.join('/') ?? ''}: ${issue?.message ?? ''})`,
  );
};

const errorIn = ({ body }: ServiceResponse): unknown =>
  typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;

const statusAndError = (status: number, error: unknown): string =>
  `status ${String(status)}${typeof error === 'number' ? ` with error ${String(error)}` : ''}`;

const expectStatus = (request: string, answer: ServiceResponse, status: number, error?: number): void => {
  assert(
    answer.status === status && (error === undefined || errorIn(answer) === error),
    `${withoutCursor(request)}: expected ${statusAndError(status, error)}; ` +
      `came ${statusAndError(answer.status, errorIn(answer))}`,
  );
};

const expectPlants = (request: string, plants: readonly Plant[], expected: readonly Plant[]): void => {
  assert(
    plants.length === expected.length,
    `${request}: expected ${String(expected.length)} plants; came ${String(plants.length)}`,
  );
  const different = plants.findIndex((plant, index) => !isDeepStrictEqual(plant, expected[index]));
  assert(
    different === -1,
    `${request}: expected the plants of the whole list; came another as plant ${String(different + 1)}`,
  );
};

const expectGatewayAnswer = (
  request: string,
  answer: ServiceResponse,
  [status, body]: readonly [number, unknown],
): void => {
  expectStatus(request, answer, status);
  assert(
    isDeepStrictEqual(answer.body, body),
    `${request}: expected the gateway's body ${JSON.stringify(body)}; came another`,
  );
};

const fewerThanTwo = 'the caller has fewer than two plants';

const byteOrder: Check = async (service) => {
  const names = (await list(service)).map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    assert(
      Buffer.compare(Buffer.from(names[index - 1] ?? ''), Buffer.from(name)) <= 0,
      `GET /plants: expected names in UTF-8 byte order; came plant ${String(index + 1)}, which belongs before plant ${String(index)}`,
    );
  }
  if (names.length < 2) return `an order, as ${fewerThanTwo}`;
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
  return count < 2 ? `a limit that cuts, as ${fewerThanTwo}` : undefined;
};

const links: Check = async (service) => {
  const plants = await list(service);
  const count = plants.length;
  for (const query of ['', '?limit=0', `?limit=${String(Math.max(count, 1))}`]) {
    const { headers } = await get(service, `/plants${query}`);
    assert(
      headers['link'] === undefined,
      `GET /plants${query}: expected no Link, as no page follows; one came`,
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
  if (next === undefined) return 'an altered cursor, as there was none to alter';
  expectStatus('GET /plants with an altered cursor', await get(service, altered(next)), 400, 1002);
  return undefined;
};

const noAuthorization: Check = async ({ send: ask }) => {
  expectGatewayAnswer('GET /plants without Authorization', await ask('/plants'), [
    401,
    { message: 'Unauthorized' },
  ]);
  return undefined;
};

const alteredTokens: Check = async ({ send: ask, token, gateway }) => {
  const [header, payload, signature] = partsOf(token);
  const tokens = {
    'an altered signature': [header, payload, altered(signature)],
    'altered claims': [header, altered(payload), signature],
    'no signature': [header, payload, ''],
    'an algorithm of none': [encodePart({ typ: 'at+jwt', alg: 'none' }), payload, ''],
  };
  for (const [what, parts] of Object.entries(tokens)) {
    const answer = await ask('/plants', { authorization: `Bearer ${parts.join('.')}` });
    expectGatewayAnswer(`GET /plants with ${what}`, answer, gateway.forbidden);
  }
  return undefined;
};

const otherRoutes: Check = async ({ send: ask, token, gateway }) => {
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/plant'],
    ['GET', '/plants/1'],
    ['POST', '/plants'],
    ['DELETE', '/plants'],
  ] as const) {
    const answer = await ask(path, { authorization: `Bearer ${token}` }, method);
    expectGatewayAnswer(`${method} ${path}`, answer, gateway.notFound);
  }
  return undefined;
};

const compression: Check = async (service) => {
  const plain = await get(service, '/plants');
  const isLarge = plain.bytes > 8192;
  for (const coding of ['br', 'gzip']) {
    const answer = await get(service, '/plants', { 'accept-encoding': coding });
    const request = `GET /plants with Accept-Encoding ${coding}`;
    const expected = isLarge ? coding : undefined;
    const came = answer.headers['content-encoding'];
    assert(
      came === expected,
      `${request}: expected Content-Encoding ${expected ?? 'absent'}; came ${came ?? 'none'}`,
    );
    expectPlants(request, plantsOf('/plants', answer), plantsOf('/plants', plain));
  }
  return isLarge ? undefined : "compression, as the caller's list is not above 8 KB";
};

/** All plants from the first page to the one without a `Link`. */
const alongLinks = async (service: Service, limit: number, count: number): Promise<readonly Plant[]> => {
  const plants: Plant[] = [];
  let target: string | undefined = `/plants?limit=${String(limit)}`;
  // A link that leads round in a circle must not keep anyone busy.
  while (target !== undefined && plants.length <= count) {
    const answer: ServiceResponse = await get(service, target);
    const page = plantsOf(target, answer);
    plants.push(...page);
    const next = nextIn(answer);
    assert(
      next !== undefined || plants.length >= count,
      `GET ${withoutCursor(target)}: expected a Link to the next page, as ` +
        `${String(count - plants.length)} more plants follow; none came`,
    );
    assert(page.length > 0, `GET ${withoutCursor(target)}: expected plants on the page; none came`);
    target = next;
  }
  return plants;
};

/** Changes a character near the end, where a token's signature and a cursor are; the last one may hold unused bits. */
const altered = (text: string): string =>
  text.slice(0, -5) + (text.at(-5) === 'A' ? 'B' : 'A') + text.slice(-4);

/** The contract's read-only part: what can be held against a service which is in use. */
export const readOnlyChecks: Readonly<Record<string, Check>> = {
  'lists plants by name in UTF-8 byte order': byteOrder,
  'lists at most `limit` plants, the first ones': limits,
  'gives the next page as a Link, and each plant exactly once along the links': links,
  'refuses a wrong limit with error 1001': wrongLimits,
  'refuses a wrong cursor with error 1002': wrongCursors,
  'asks a request without Authorization for it': noAuthorization,
  'turns away a token that was altered': alteredTokens,
  'knows no other path and no other method': otherRoutes,
  'gives the same list compressed': compression,
};
