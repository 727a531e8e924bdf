// Runs with Node.js 22.18 or newer, which removes the types.
import { spawnSync } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from './plant-store.d.ts';

type Plant = components['schemas']['Plant'];

const { BASE_URL: baseUrl = 'http://127.0.0.1:3000', TOKEN_COMMAND: tokenCommand } = process.env;
const pageSize = 1000;
const maxAttempts = 5;
/** Milliseconds for a whole response. */
const deadline = 30_000;
/** The longest Retry-After, in seconds, after which the request is sent again. */
const maxRetryAfter = 60;
/** Some firewalls refuse a request without a User-Agent. */
const userAgent = 'plant-store-example-typescript/1.0';

const newToken = (): string => {
  if (!tokenCommand) throw new Error('Set TOKEN_COMMAND to a command that prints an access token.');
  const result = spawnSync(tokenCommand, { shell: true, stdio: ['inherit', 'pipe', 'inherit'] });
  if (result.status !== 0) throw new Error('TOKEN_COMMAND failed.');
  const token = String(result.stdout).trim();
  // With other characters in the header, `fetch` would fail with a message that contains the token.
  if (!/^[!-~]+$/.test(token)) throw new Error('TOKEN_COMMAND must print a token alone, as npm run -s does.');
  return token;
};

/** Lists all plants that the token's user has access to. */
async function* listPlants(): AsyncGenerator<Plant> {
  const firstPage = `${baseUrl.replace(/\/+$/, '')}/plants?limit=${pageSize}`;
  if (!URL.canParse(firstPage)) throw new Error('BASE_URL must be a URL.');
  let token = newToken();
  let url: string | undefined = new URL(firstPage).href;
  const listed = new Set<string>();
  let attempt = 1;
  let hasNewToken = false;
  while (url !== undefined) {
    const { status, headers, text } = await get(url, token);
    const body = parseJson(text);
    if (status === 200 && isPlants(body)) {
      yield* body;
      listed.add(url);
      url = nextPage(headers.get('link') ?? '', url);
      if (url !== undefined && listed.has(url))
        throw new Error('The Link header leads to a list page that was read before.');
      attempt = 1;
      hasNewToken = false;
      continue;
    }
    const errorValue = errorValueOf(body);
    if (isTokenRefused(status, errorValue) && !hasNewToken) {
      token = newToken();
      hasNewToken = true;
      continue;
    }
    const seconds = retryAfterSeconds(headers);
    if (!canRetry(status, errorValue) || attempt === maxAttempts || seconds > maxRetryAfter) {
      const message = isObject(body) ? body['message'] : undefined;
      const report = {
        attempts: attempt,
        status,
        error: errorValue,
        message: typeof message === 'string' ? message : text.slice(0, 1000),
        'retry-after': headers.get('retry-after') ?? undefined,
        // The operators find the request by this id.
        'apigw-requestid': headers.get('apigw-requestid') ?? undefined,
      };
      throw new Error(`Gave up: ${JSON.stringify(report)}`);
    }
    // Full jitter, so that callers that failed at the same time do not retry at the same time.
    const backoff = Math.random() * 200 * 2 ** attempt;
    await sleep(backoff + 1000 * seconds);
    attempt += 1;
  }
}

/** The field `error` of an error response; undefined for any other body. */
const errorValueOf = (body: unknown): number | undefined =>
  isObject(body) && typeof body['error'] === 'number' ? body['error'] : undefined;

/** Whether a new token can help. 1004: the token expired after the gateway had accepted it. */
const isTokenRefused = (status: number, errorValue: number | undefined): boolean =>
  status === 403 || errorValue === 1004;

const canRetry = (status: number, errorValue = 0): boolean =>
  status === 0 || status === 429 || status >= 500 || errorValue >= 2000;

/** The seconds of Retry-After. The service sends whole seconds, so other values count as 0. */
const retryAfterSeconds = (headers: Headers): number => {
  const retryAfter = headers.get('retry-after') ?? '';
  return /^\d+$/.test(retryAfter) ? Number(retryAfter) : 0;
};

/** Sends a request. Without a response, `status` is 0, and `text` is the reason. */
const get = async (url: string, token: string) => {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}`, 'user-agent': userAgent },
      // The service sends no redirects, and another origin must not get the token.
      redirect: 'manual',
      signal: AbortSignal.timeout(deadline),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (failure) {
    // The error of `fetch` has the reason as its cause.
    const cause = failure instanceof Error ? (failure.cause ?? failure) : failure;
    return { status: 0, headers: new Headers(), text: String(cause) };
  }
};

/** undefined for a text that is not JSON, such as the page of a proxy. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlants = (value: unknown): value is Plant[] =>
  Array.isArray(value) && value.every((plant) => isObject(plant) && typeof plant['name'] === 'string');

/** The URL of the next list page (RFC 8288); undefined after the last one. */
const nextPage = (link: string, url: string): string | undefined => {
  const target = /<([^>]*)>\s*;[^,]*?\brel="?next"?\s*(?:[;,]|$)/i.exec(link)?.[1];
  if (target === undefined) return undefined;
  if (!URL.canParse(target, url)) throw new Error('The Link header has no valid URL.');
  const next = new URL(target, url);
  // A URL with a user name does not begin with the origin.
  if (!next.href.startsWith(`${new URL(url).origin}/`))
    throw new Error(`The Link header leads to another origin: ${next.origin}.`);
  return next.href;
};

/** Escapes, as JSON does, characters that control a terminal or hide in it, such as U+009B and U+202E. */
const escaped = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    character.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

async function* lines(): AsyncGenerator<string> {
  for await (const plant of listPlants()) yield `${escaped(JSON.stringify(plant))}\n`;
}

try {
  await pipeline(lines, process.stdout);
} catch (error) {
  // The reader closed the pipe, as `head` does. Exit with 0, or `pipefail` would fail the pipeline.
  const isClosed = error instanceof Error && 'code' in error && error.code === 'EPIPE';
  if (!isClosed) {
    console.error(escaped(error instanceof Error ? error.message : String(error)));
    process.exitCode = 1;
  }
}
