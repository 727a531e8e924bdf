import { AssertionError } from 'node:assert';
import { codeOf } from '../table/error-codes.ts';
import { endWith, UserError } from '../terminal/user-error.ts';
import { exchange } from './contract/client.ts';
import { undescribed, withoutCursor } from './contract/description.ts';
import { list, readOnlyChecks, type Service } from './contract/read-only-checks.ts';
import { apiGatewayAnswers } from './contract/target.ts';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Where the service answers, from `BASE_URL`. */
const baseUrlFrom = (text = ''): string => {
  const url = URL.parse(text);
  // The token goes there, so it must go encrypted.
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackHosts.includes(url.hostname));
  if (url === null || !isSafe || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UserError(
      'Set BASE_URL to the https address of the service (the output BaseUrl of its stack), or to an http address of this machine, without user and query.',
    );
  }
  return url.href;
};

const tokenFrom = (text = ''): string => {
  if (!/^[\w.~+/-]+=*$/.test(text)) {
    throw new UserError(
      'Set TOKEN to an access token for the service: the token alone, without "Bearer" and white space.',
    );
  }
  return text;
};

/** The points in which answers were not as described, with the first request that showed each. */
const points = new Map<string, string>();

const serviceAt = (baseUrl: string, token: string): Service => ({
  token,
  gateway: apiGatewayAnswers,
  ask: async (target, headers, method = 'GET') => {
    const answer = await exchange(baseUrl, target, headers, method);
    for (const point of undescribed(answer.status, answer.headers, answer.body)) {
      if (!points.has(point)) points.set(point, `${method} ${withoutCursor(target)}`);
    }
    return answer;
  },
});

/** Without a list for the first request nothing else can be judged. */
const expectPlants = async (baseUrl: string, service: Service): Promise<void> => {
  try {
    await list(service);
  } catch (error) {
    throw new UserError(`${baseUrl} gives no plants: ${reason(error)}.`);
  }
};

/** One line that says what went wrong. */
const reason = (error: unknown): string =>
  error instanceof AssertionError ? error.message : `no readable answer (${codeOf(error) ?? String(error)})`;

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
      const unseen = await check(service);
      console.log(unseen === undefined ? `passed  ${name}` : `passed  ${name}; not seen: ${unseen}`);
    } catch (error) {
      fail(name, reason(error));
    }
  }
  const described = 'answers as openapi.yaml describes';
  for (const [point, request] of points) fail(described, `${request}: ${point}`);
  if (points.size === 0) console.log(`passed  ${described}`);
  console.log(
    failed === 0
      ? `${baseUrl} holds the read-only part of the contract.`
      : `${baseUrl}: ${String(failed)} failed.`,
  );
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  endWith(error);
}
