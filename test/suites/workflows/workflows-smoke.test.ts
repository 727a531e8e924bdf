import { beforeAll, describe, expect, it } from 'vitest';
import { item, type Plant, plantList } from '../../contract/plants.ts';
import type { Target } from '../../contract/target.ts';
import { ownLines } from '../../support/lines.ts';
import { type Alteration, type ResponseChange, withAltered } from '../../support/service/altered-service.ts';
import { runCommand } from '../../support/service/local-service.ts';
import { npmStart } from '../../support/service/npm-start.ts';
import { checkout } from './runner.ts';

let target: Target;
let alice: string;
beforeAll(async () => {
  target = await npmStart();
  alice = tokenOf('alice', 'gardeners');
  await target.put(Array.from({ length: 12 }, (_, id) => item('user#carol', 'x'.repeat(800), String(id))));
  return () => target.stop();
});
const tokenOf = (sub: string, ...groups: readonly string[]): string =>
  target.issuer.token({ claims: { sub, groups } });

type Result = readonly [code: number | null, ...lines: string[]];

/** Runs the command as a person does. Its output never contains the token. */
const smoke = async (TOKEN: string, BASE_URL = target.baseUrl): Promise<Result> => {
  const command = runCommand(process.execPath, checkout, ['tools/smoke.ts'], { BASE_URL, TOKEN });
  const { code, output } = await command.ended;
  for (const part of TOKEN.split('.')) if (part !== '') expect(output).not.toContain(part);
  return [code, ...ownLines(output)];
};
const smokeAltered = (alteration: Alteration, token = alice): Promise<Result> =>
  withAltered(target.baseUrl, alteration, (baseUrl) => smoke(token, baseUrl));

/** Lines that match these patterns. */
const matching = (patterns: readonly RegExp[]): readonly unknown[] =>
  patterns.map((each): unknown => expect.stringMatching(each));

/** Changes the list in a response with status 200. */
const withList = (change: (plants: readonly Plant[], path: string) => readonly object[]): Alteration => ({
  response: (response, { path }) =>
    response.status === 200 ? { ...response, body: change(plantList.parse(response.body), path) } : response,
});
const withoutHeader = (header: string): Alteration => ({
  response: (response) => ({ ...response, headers: { ...response.headers, [header]: undefined } }),
});
/** Changes a response with status 400. */
const withError = (change: ResponseChange): Alteration => ({
  response: (response, request) => (response.status === 400 ? change(response, request) : response),
});
const withPath = (pattern: RegExp, replacement: (found: string) => string): Alteration => ({
  request: (request) => ({ ...request, path: request.path.replace(pattern, replacement) }),
});

describe.concurrent('npm run smoke', () => {
  it.each([
    ['a user', () => alice, [/compression\b.*8 KB/]],
    ['a user with a large list', () => tokenOf('carol'), [/order of bytes rather than/]],
    [
      'a user without plants',
      () => tokenOf('nobody'),
      [/order\b.*two plants/, /limit\b.*two plants/, /page\b.*two plants/, /cursor/, /compression\b.*8 KB/],
    ],
  ])('passes for %s, and says what it did not check', async (_, token, unchecked) => {
    const [code, ...lines] = await smoke(token());
    expect([code, lines.at(-1)]).toEqual([0, `${target.baseUrl}/ passes all read-only checks.`]);
    expect(lines.filter((line) => line.startsWith('passed  '))).toHaveLength(10);
    expect(lines.flatMap((line) => line.split('not checked: ')[1] ?? [])).toEqual(matching(unchecked));
  });

  it.each<readonly [string, Alteration, readonly RegExp[]]>([
    [
      'orders by UTF-16 units',
      withList((plants) => plants.toSorted((a, b) => (a.name < b.name ? -1 : 1))),
      [/byte order: GET \/plants: .*\b22\b.*\b21$/, /limit.*: GET \/plants\?limit=21: .*\b21$/],
    ],
    ['sends no Link', withoutHeader('link'), [/: GET \/plants\?limit=8: .*\bLink\b.*\b14\b/]],
    ['sends no Vary', withoutHeader('vary'), [/openapi\.yaml.*: GET \/plants: .*\bVary\b/]],
    [
      'shows more of a plant than name and tag',
      withList((plants) => plants.map((plant) => ({ ...plant, price: 5 }))),
      [/openapi\.yaml.*: GET \/plants: .*\bbody\b.*\/0\b.*\bprice\b/],
    ],
    [
      'lists one plant more than the limit',
      withPath(/(?<=limit=)[1-9]\d?(?=&cursor|$)/, (limit) => String(Number(limit) + 1)),
      [/limit.*: GET \/plants\?limit=1: .*\b1 plants\b.*\b2$/],
    ],
    [
      'repeats a plant on the second page',
      withList((plants, target) => [
        ...plants,
        ...(/limit=8.*cursor=/.test(target) ? plants.slice(0, 1) : []),
      ]),
      [/: GET \/plants\?limit=8 .*\b22 plants\b.*\b24$/],
    ],
    [
      'allows every caller',
      {
        request: ({ path, headers }) => ({ path, headers: { ...headers, authorization: `Bearer ${alice}` } }),
      },
      [
        /: GET \/plants without Authorization: .*\b401\b.*\b200$/,
        /: GET \/plants .*signature: .*\b403\b.*\b200$/,
      ],
    ],
    [
      'sends the same error for everything',
      withError((response) => ({ ...response, body: { error: 2000, message: 'No.' } })),
      [/\?limit=: .*\b1001\b.*\b2000$/, /\?limit=1&cursor=: .*\b1002\b.*\b2000$/],
    ],
    [
      'accepts an altered cursor',
      withError((response, { path }) => {
        const headers = { ...response.headers, vary: 'Accept-Encoding' };
        return /cursor=.{8}/.test(path) ? { ...response, status: 200, headers, body: [] } : response;
      }),
      [/: GET \/plants .*cursor: .*\b400 .*\b1002\b.*\b200$/],
    ],
    [
      'sends the list for another path',
      withPath(/^\/plants\/1$/, () => '/plants'),
      [/: GET \/plants\/1: .*\b404\b.*\b200$/],
    ],
    [
      'sends another list to those who accept br',
      {
        response: (good, { headers }) => (headers['accept-encoding'] === 'br' ? { ...good, body: [] } : good),
      },
      [/: GET \/plants .*\bbr: .*\b22 plants\b.*\b0$/],
    ],
  ])('names request, expected and received value if a service %s', async (_, alteration, expected) => {
    const [code, ...lines] = await smokeAltered(alteration);
    expect([code, lines.at(-1)]).toEqual([
      1,
      expect.stringMatching(`: ${String(expected.length)} failed\\.$`),
    ]);
    expect(lines.flatMap((line) => line.split('FAILED  ')[1] ?? [])).toEqual(matching(expected));
  });

  it('names the coding of a large list that is not compressed', async () => {
    const lines = await smokeAltered({}, tokenOf('carol'));
    expect(lines).toContainEqual(expect.stringMatching(/^FAILED .*: GET \/plants .*\bContent-Encoding br\b/));
  });

  const unused = 'http://127.0.0.1:1';
  const page: Alteration = { response: (response) => ({ ...response, text: '<!doctype html>' }) };
  it.each<readonly [string, () => Promise<Result>, RegExp]>([
    ['BASE_URL is empty', () => smoke(alice, ''), /BASE_URL\b.*https\b/],
    ['BASE_URL is not encrypted', () => smoke(alice, 'http://plants.example.com'), /BASE_URL\b.*https\b/],
    [
      'BASE_URL has a query',
      () => smoke(alice, 'https://plants.example.com/?stage=prod'),
      /BASE_URL\b.*https\b/,
    ],
    ['TOKEN is empty', () => smoke(''), /TOKEN\b.*access token\b.*Bearer/],
    ['TOKEN has a scheme', () => smoke('Bearer abc'), /TOKEN\b.*access token\b.*Bearer/],
    ['no server responds', () => smoke(alice, unused), /^http:\/\/127\.0\.0\.1:1\/ .*\bECONNREFUSED\b/],
    [
      'the service denies the token',
      () => smoke(alice.slice(0, -20)),
      /\/ .*: GET \/plants: .*\b200\b.*\b403\b/,
    ],
    ['another server responds', () => smokeAltered(page), /: GET \/plants: .*\blist of plants\b.*\bbody\b/],
  ])('fails in one line if %s', async (_, run, line) => {
    expect(await run()).toEqual([1, expect.stringMatching(line)]);
  });
});
