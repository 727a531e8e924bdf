// Runs with Node.js 22.18 or newer, which removes the types.
import { execSync } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { components, paths } from './plant-store.d.ts';

type Plant = components['schemas']['Plant'];
type Query = NonNullable<paths['/plants']['get']['parameters']['query']>;

const { BASE_URL: baseUrl = 'http://127.0.0.1:3000', TOKEN_COMMAND: tokenCommand } = process.env;
const pageSize = 1000;
const maxAttempts = 5;

const client = createClient<paths>({ baseUrl });

const newToken = (): string => {
  if (!tokenCommand) throw new Error('Set TOKEN_COMMAND to a command that prints an access token.');
  const token = execSync(tokenCommand, { encoding: 'utf8' }).trim();
  // `fetch` would refuse such a header with a message that has the token.
  if (!/^\S+$/.test(token)) throw new Error('TOKEN_COMMAND must print a token alone, as npm run -s does.');
  return token;
};

/** Lists all plants that the token's user has access to. */
async function* listPlants(): AsyncGenerator<Plant> {
  let token = newToken();
  let query: Query | undefined = { limit: pageSize };
  const listed = new Set<string | undefined>();
  let attempt = 1;
  let hasNewToken = false;
  while (query !== undefined) {
    const { data, error, response } = await getPlants(query, token);
    if (data !== undefined) {
      yield* data;
      listed.add(query.cursor);
      query = nextPage(response);
      if (query !== undefined && listed.has(query.cursor))
        throw new Error('The Link header leads to a list page that was read before.');
      attempt = 1;
      hasNewToken = false;
      continue;
    }
    const status = response?.status ?? 0;
    const value = typeof error === 'object' && 'error' in error ? error.error : undefined;
    // 1004: the token expired after the gateway had accepted it.
    if ((status === 403 || value === 1004) && !hasNewToken) {
      token = newToken();
      hasNewToken = true;
      continue;
    }
    const canRetry = status === 0 || status === 429 || status >= 500 || (value ?? 0) >= 2000;
    if (!canRetry || attempt === maxAttempts) {
      const message = typeof error === 'object' ? error.message : error;
      // The operators find the request by this id.
      const requestId = response?.headers.get('apigw-requestid') ?? undefined;
      const report = { attempts: attempt, status, error: value, message, 'apigw-requestid': requestId };
      throw new Error(`Gave up: ${JSON.stringify(report)}`);
    }
    // Full jitter, so that callers that failed at the same time do not retry at the same time.
    const backoff = Math.random() * 200 * 2 ** attempt;
    await sleep(backoff + 1000 * (Number(response?.headers.get('retry-after')) || 0));
    attempt += 1;
  }
}

const getPlants = (query: Query, token: string) =>
  client
    .GET('/plants', {
      params: { query },
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(30_000),
    })
    // No response. The error of `fetch` has the reason as its cause.
    .catch((failure: unknown) => {
      const cause = failure instanceof Error ? (failure.cause ?? failure) : failure;
      return { data: undefined, error: new Error(String(cause)), response: undefined };
    });

/** The query of the next list page (RFC 8288); undefined after the last one. */
const nextPage = ({ headers, url }: Response): Query | undefined => {
  const target = /<([^>]*)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1];
  if (target === undefined) return undefined;
  const { origin, searchParams } = new URL(target, url);
  if (origin !== new URL(baseUrl).origin)
    throw new Error(`The Link header leads to another origin: ${origin}.`);
  const cursor = searchParams.get('cursor');
  return { limit: pageSize, ...(cursor !== null && { cursor }) };
};

async function* lines(): AsyncGenerator<string> {
  for await (const plant of listPlants()) yield `${JSON.stringify(plant)}\n`;
}

try {
  await pipeline(lines, process.stdout);
} catch (error) {
  // The reader closed the pipe, as `head` does. Exit with 0, or `pipefail` would fail the pipeline.
  const isClosed = error instanceof Error && 'code' in error && error.code === 'EPIPE';
  if (!isClosed) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
