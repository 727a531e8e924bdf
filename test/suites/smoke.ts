import { AssertionError } from 'node:assert';
import { takeNoArguments } from '../../cli/terminal/no-arguments.ts';
import { codeOf, exitWith, UserError } from '../../cli/terminal/user-error.ts';
import { exchange } from '../contract/client.ts';
import { undescribed, withoutCursor } from '../contract/description.ts';
import { list, readOnlyChecks, type Service } from '../contract/read-only-checks.ts';
import { apiGatewayResponses } from '../contract/target.ts';

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

/** How responses differed from openapi.yaml, each with the first request that showed it. */
const differences = new Map<string, string>();

const serviceAt = (baseUrl: string, token: string): Service => ({
  token,
  gateway: apiGatewayResponses,
  send: async (target, headers, method = 'GET') => {
    const response = await exchange(baseUrl, target, headers, method);
    const { status, headers: received, body } = response;
    for (const difference of undescribed(`${method} ${target}`, status, received, body)) {
      if (!differences.has(difference)) differences.set(difference, `${method} ${withoutCursor(target)}`);
    }
    return response;
  },
});

/** Lists plants before anything else: without a list, nothing else can be checked. */
const expectPlants = async (baseUrl: string, service: Service): Promise<void> => {
  try {
    await list(service);
  } catch (error) {
    throw new UserError(`${baseUrl} does not list plants: ${reason(error)}.`);
  }
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
  const service = serviceAt(baseUrl, tokenFrom(process.env['TOKEN']));
  await expectPlants(baseUrl, service);

  let failed = 0;
  const fail = (name: string, why: string): void => {
    failed += 1;
    console.log(`FAILED  ${name}: ${why}`);
  };
  for (const [name, check] of Object.entries(readOnlyChecks)) {
    try {
      const unchecked = await check(service);
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
