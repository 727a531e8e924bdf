import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../../smoke/checks.ts';
import { newName } from '../../contract/plants.ts';
import { item } from '../../support/table/plants.ts';
import type { Target } from '../../contract/target.ts';
import { linesWithoutNpm } from '../lines-without-npm.ts';
import { type Alteration, withAltered } from '../altered-service.ts';
import { runCommand } from '../../support/service/command.ts';
import { forward, startFakeServer } from '../../support/fake-server.ts';
import { startRefusingProxy } from '../../support/refusing-proxy.ts';
import { npmStart } from '../npm-start-target.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
let target: Target;
let alice: string;
beforeAll(async () => {
  target = await npmStart();
  alice = tokenOf('smoke-alice', 'smoke');
  // UTF-16 puts the last two names in another order than UTF-8.
  const names = Array.from({ length: 12 }, (_, index) => 'x'.repeat(index + 1));
  await target.put([...names, '\uff21', '\u{1f335}'].map((name) => item('group#smoke', name)));
  return () => target.stop();
});
const tokenOf = (sub: string, ...groups: readonly string[]): string =>
  target.issuer.token({ claims: { sub, groups } });
/**
 * A token of another user with the same plants. Tests run at the same time, and in a service with writes, the
 * smoke test adds a plant to those of its user.
 */
const newToken = (): string => tokenOf(newName('user'), 'smoke');

type Result = readonly [code: number | null, ...lines: string[]];

/** Runs the smoke test, and expects that its output does not contain the token. */
const smoke = async (TOKEN: string, BASE_URL = target.baseUrl, HTTPS_PROXY = ''): Promise<Result> => {
  const environment = { BASE_URL, TOKEN, HTTPS_PROXY };
  const command = runCommand(process.execPath, checkout, ['smoke/main.ts'], environment);
  const { code, output } = await command.ended;
  for (const part of TOKEN.split('.')) if (part !== '') expect(output).not.toContain(part);
  return [code, ...linesWithoutNpm(output)];
};
const smokeAltered = (alteration: Alteration): Promise<Result> =>
  withAltered(target.baseUrl, alteration, (baseUrl) => smoke(newToken(), baseUrl));

/** Texts that match these patterns, in this order. */
const matching = (patterns: readonly RegExp[]): readonly unknown[] =>
  patterns.map((pattern): unknown => expect.stringMatching(pattern));

const withResponse = (change: NonNullable<Alteration['response']>): Alteration => ({ response: change });
/** Adds the first plant again to each list page that a Link leads to. */
const repeatFirstPlantAfterLink = withResponse((response, { path }) => {
  if (response.status !== 200 || !/limit=5.*cursor=/.test(path)) return response;
  const plants: readonly unknown[] = Array.isArray(response.body) ? response.body : [];
  return { ...response, body: [...plants, ...plants.slice(0, 1)] };
});
/** Sends every request with a valid token. */
const allowEveryCaller: Alteration = {
  request: ({ path, headers }) => ({ path, headers: { ...headers, authorization: `Bearer ${alice}` } }),
};
/** Replaces a part of the path of each request. */
const withPath = (pattern: RegExp, replacement: (match: string) => string): Alteration => ({
  request: (request) => ({ ...request, path: request.path.replace(pattern, replacement) }),
});

describe.concurrent('npm run smoke', () => {
  /** Runs the smoke test, expects that it passes, and returns what it did not check. */
  const uncheckedBySmoke = async (token: string): Promise<readonly string[]> => {
    const [code, ...lines] = await smoke(token);
    expect([code, lines.at(-1)]).toEqual([0, `${target.baseUrl}/ passes all checks.`]);
    const passed = [...Object.keys(checks), 'responds as openapi.yaml describes'];
    expect(lines.flatMap((line) => /^passed {2}([^;]+)/.exec(line)?.[1] ?? [])).toEqual(passed);
    return lines.flatMap((line) => line.split('not checked: ')[1] ?? []);
  };

  it('passes for a user with plants, and reports no skipped check', async () => {
    expect(await uncheckedBySmoke(newToken())).toEqual([]);
  });

  it('passes for a user without plants, and says what it did not check', async () => {
    // .github/smoke.sh searches the output for “fewer than two plants”.
    expect(await uncheckedBySmoke(tokenOf('nobody'))).toEqual(
      matching([/fewer than two plants/, /fewer than two/, /cursor/]),
    );
  });

  it.for<readonly [defects: string, alteration: Alteration, ...findings: RegExp[]]>([
    [
      'sends no Link and no Vary',
      withResponse((response) => ({
        ...response,
        headers: { ...response.headers, link: undefined, vary: undefined },
      })),
      /links.*: GET \/plants\?limit=5 .*\b14 plants\b.*\b5$/,
      /openapi\.yaml.*: GET \/plants: .*\bVary\b/,
    ],
    [
      'repeats a plant in the response to a Link, and allows every caller',
      { ...repeatFirstPlantAfterLink, ...allowEveryCaller },
      /: GET \/plants\?limit=5 .*\b14 plants\b.*\b16$/,
      /: GET \/plants without Authorization: .*\b401\b.*\b200$/,
    ],
    [
      'lists one plant more than the limit, and sends the same error for every invalid request',
      {
        ...withPath(/(?<=limit=)[1-9]\d?(?=&cursor|$)/, (limit) => String(Number(limit) + 1)),
        ...withResponse((response) =>
          response.status === 400 ? { ...response, body: { error: 2000, message: 'No.' } } : response,
        ),
      },
      /limit.*: GET \/plants\?limit=1: .*\b1 plants\b.*\b2$/,
      /\?limit=: .*\b1001\b.*\b2000$/,
      /\?limit=1&cursor=: .*\b1002\b.*\b2000$/,
    ],
  ])('names request, expected and received value if a service %s', async ([, alteration, ...findings]) => {
    const [code, ...lines] = await smokeAltered(alteration);
    const lastLine: unknown = expect.stringMatching(`: ${String(findings.length)} failures\\.$`);
    expect([code, lines.at(-1)]).toEqual([1, lastLine]);
    expect(lines.flatMap((line) => line.split('FAILED  ')[1] ?? [])).toEqual(matching(findings));
  });

  it.each<readonly [condition: string, run: () => Promise<Result>, line: RegExp]>([
    ['BASE_URL is not encrypted', () => smoke(alice, 'http://plants.example.com'), /BASE_URL\b.*https\b/],
    ['BASE_URL has a query', () => smoke(alice, 'https://a.example/?stage=prod'), /BASE_URL\b.*https\b/],
    ['TOKEN has a scheme', () => smoke('Bearer abc'), /TOKEN\b.*access token\b.*Bearer/],
    ['no server responds', () => smoke(alice, 'http://127.0.0.1:1'), /127\.0\.0\.1:1\/ .*\bECONNREFUSED\b/],
    ['the token is denied', () => smoke(alice.slice(0, -20)), /\/ .*: GET \/plants: .*\b200\b.*\b403\b/],
    [
      'another server responds',
      () => smokeAltered(withResponse((response) => ({ ...response, text: '<!doctype html>' }))),
      /: GET \/plants: .*\blist of plants\b.*\bbody\b/,
    ],
  ])('fails in one line if %s', async (_, run, line) => {
    expect(await run()).toEqual([1, expect.stringMatching(line)]);
  });

  it('sends a User-Agent with every request, because AWS WAF blocks requests without one', async () => {
    const userAgents = new Set<string | undefined>();
    const proxy = await startFakeServer((request) => {
      userAgents.add(request.headers['user-agent']);
      return forward(target.baseUrl, request);
    });
    const [code] = await smoke(newToken(), proxy.url);
    await proxy.close();
    expect([code, ...userAgents]).toEqual([0, 'plant-store-smoke']);
  });

  it('sends its requests through HTTPS_PROXY', async () => {
    const proxy = await startRefusingProxy();
    const result = await smoke(alice, 'https://plants.example.com', proxy.url);
    await proxy.close();
    expect([...proxy.requestedAddresses]).toEqual(['plants.example.com:443']);
    expect(result).toEqual([1, expect.stringMatching(/does not list plants: .*ERR_PROXY_TUNNEL/)]);
  });
});
