// npm run smoke: checks what a deployment can break in a running service, as one of its users. It prints no
// token, plant name or cursor.
import { AssertionError, strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { takeNoArguments } from '../terminal/no-arguments.ts';
import { codeOf, exitWith, UserError } from '../terminal/user-error.ts';
import { exchange, type Headers, type ServiceResponse } from './client.ts';
import { undescribed, withoutCursor } from '../test/contract/description.ts';
import { nextIn, type Plant, plantList } from '../test/contract/plants.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** The service's address, from `BASE_URL`. */
const baseUrlFrom = (text = ''): string => {
  const url = URL.parse(text);
  // The token is sent to this address, so the connection must be encrypted.
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackHosts.includes(url.hostname));
  if (url === null || !isSafe || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UserError(
      'Set BASE_URL to the https address of the service (the output BaseUrl of its stack), ' +
        'or to an http address of this machine, without user or query.',
    );
  }
  return url.href;
};

const tokenFrom = (text = ''): string => {
  if (!/^[\w.~+/-]+=*$/.test(text)) {
    throw new UserError(
      'Set TOKEN to an access token for the service: the token alone, without "Bearer" or white space.',
    );
  }
  return text;
};

/** One statement of the contract. Returns what this caller's plants could not show, if anything. */
type Check = () => Promise<string | undefined>;

/** What a response has, without plants and messages. */
const summary = ({ status, body }: ServiceResponse): string => {
  const hasError = typeof body === 'object' && body !== null && 'error' in body;
  return `status ${String(status)}${hasError ? ` with error ${String(body.error)}` : ''}`;
};

const expectStatus = (request: string, response: ServiceResponse, expected: string): void => {
  assert(
    summary(response) === expected,
    `${withoutCursor(request)}: expected ${expected}; received ${summary(response)}`,
  );
};

const expectPlants = (request: string, plants: readonly Plant[], expected: readonly Plant[]): void => {
  assert(
    plants.length === expected.length,
    `${request}: expected ${String(expected.length)} plants; received ${String(plants.length)}`,
  );
  const different = plants.findIndex((plant, index) => !isDeepStrictEqual(plant, expected[index]));
  assert(different === -1, `${request}: received an unexpected plant ${String(different + 1)}`);
};

/** Changes a character near the end, but not the last one, which can hold unused bits. */
const altered = (text: string): string =>
  text.slice(0, -5) + (text.at(-5) === 'A' ? 'B' : 'A') + text.slice(-4);

const fewerThanTwo = 'the caller has fewer than two plants';

/** @param differences gets how responses differ from openapi.yaml, with the first request that shows it */
const checksOf = (baseUrl: string, token: string, differences: Map<string, string>) => {
  const own: Headers = { authorization: `Bearer ${token}` };
  const send = async (target: string, headers = own): Promise<ServiceResponse> => {
    const response = await exchange(baseUrl, target, { ...headers, 'user-agent': 'plant-store-smoke' });
    const { status, headers: received, body } = response;
    for (const difference of undescribed(`GET ${target}`, status, received, body))
      if (!differences.has(difference)) differences.set(difference, `GET ${withoutCursor(target)}`);
    return response;
  };
  const plantsOf = (target: string, response: ServiceResponse): readonly Plant[] => {
    expectStatus(`GET ${target}`, response, 'status 200');
    const { success, data } = plantList.safeParse(response.body);
    assert(success, `GET ${withoutCursor(target)}: expected a list of plants; received another body`);
    return data;
  };
  const list = async (target = '/plants'): Promise<readonly Plant[]> => plantsOf(target, await send(target));

  /** The plants of all pages. Links in a circle do not make an endless loop. */
  const alongLinks = async (limit: number, count: number): Promise<readonly Plant[]> => {
    const plants: Plant[] = [];
    let target: string | undefined = `/plants?limit=${String(limit)}`;
    while (target !== undefined && plants.length <= count) {
      const response: ServiceResponse = await send(target);
      plants.push(...plantsOf(target, response));
      target = nextIn(response);
    }
    return plants;
  };

  const checks: Readonly<Record<string, Check>> = {
    'lists the first `limit` plants': async () => {
      const plants = await list();
      for (const limit of new Set([0, 1, plants.length, plants.length + 1, 2_147_483_647])) {
        const target = `/plants?limit=${String(limit)}`;
        expectPlants(`GET ${target}`, await list(target), plants.slice(0, limit));
      }
      return plants.length < 2 ? `a limit below the number of plants, as ${fewerThanTwo}` : undefined;
    },
    'lists each plant exactly once along the links between list pages': async () => {
      const plants = await list();
      if (plants.length < 2) return `a second page, as ${fewerThanTwo}`;
      const limit = Math.ceil(plants.length / 3);
      const listed = await alongLinks(limit, plants.length);
      expectPlants(`GET /plants?limit=${String(limit)} and its links`, listed, plants);
      return undefined;
    },
    'rejects an invalid limit with error 1001': async () => {
      for (const limit of ['', '-1', '05', '2147483648', 'x', '1&limit=1']) {
        const target = `/plants?limit=${limit}`;
        expectStatus(`GET ${target}`, await send(target), 'status 400 with error 1001');
      }
      return undefined;
    },
    'rejects an invalid cursor with error 1002': async () => {
      const next = nextIn(await send('/plants?limit=1'));
      for (const target of ['/plants?limit=1&cursor=', ...(next === undefined ? [] : [altered(next)])])
        expectStatus(`GET ${target}`, await send(target), 'status 400 with error 1002');
      return next === undefined ? 'an altered cursor, as no response had a cursor' : undefined;
    },
    'rejects a request without a token, or with an altered one': async () => {
      const [header = '', payload = '', signature = ''] = token.split('.');
      const expectDenied = async (what: string, headers: Headers, status: number): Promise<void> => {
        expectStatus(`GET /plants ${what}`, await send('/plants', headers), `status ${String(status)}`);
      };
      const bearer = (...parts: readonly string[]): Headers => ({
        authorization: `Bearer ${parts.join('.')}`,
      });
      await expectDenied('without Authorization', {}, 401);
      await expectDenied('with an altered signature', bearer(header, payload, altered(signature)), 403);
      await expectDenied('with altered claims', bearer(header, altered(payload), signature), 403);
      return undefined;
    },
  };
  return { list, checks };
};

/** The reason for a failure, in one line. */
const reason = (error: unknown): string =>
  error instanceof AssertionError
    ? error.message
    : `no readable response (${codeOf(error) ?? String(error)})`;

takeNoArguments(
  'npm run smoke',
  'Checks a running service, read-only. Set BASE_URL to its address and TOKEN to an access token.',
);
try {
  const baseUrl = baseUrlFrom(process.env['BASE_URL']);
  const differences = new Map<string, string>();
  const { list, checks } = checksOf(baseUrl, tokenFrom(process.env['TOKEN']), differences);
  // Without a list, nothing else can be checked.
  await list().catch((error: unknown) => {
    throw new UserError(`${baseUrl} does not list plants: ${reason(error)}.`);
  });

  let failed = 0;
  const fail = (name: string, why: string): void => {
    failed += 1;
    console.log(`FAILED  ${name}: ${why}`);
  };
  for (const [name, check] of Object.entries(checks)) {
    try {
      const unchecked = await check();
      console.log(unchecked === undefined ? `passed  ${name}` : `passed  ${name}; not checked: ${unchecked}`);
    } catch (error) {
      fail(name, reason(error));
    }
  }
  const described = 'responds as openapi.yaml describes';
  for (const [difference, request] of differences) fail(described, `${request}: ${difference}`);
  if (differences.size === 0) console.log(`passed  ${described}`);
  console.log(
    failed === 0 ? `${baseUrl} passes all read-only checks.` : `${baseUrl} fails ${String(failed)} checks.`,
  );
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  exitWith(error);
}
