import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { item, type Plant, plantList } from '../../contract/plants.ts';
import { type Alteration, type ResponseChange, withAltered } from '../../support/service/altered-service.ts';
import { dynamoDbTable } from '../../support/table/dynamodb-table.ts';
import { ownLines } from '../../support/lines.ts';
import {
  copyProject,
  type LocalService,
  npm,
  runCommand,
  startService,
} from '../../support/service/local-service.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const project = copyProject();
let service: LocalService;

const tokenOf = async (...parameters: readonly string[]): Promise<string> => {
  const { output } = await npm(project.folder, ['run', '-s', 'token', '--', ...parameters]).ended;
  return ownLines(output)[0] ?? '';
};

interface Run {
  readonly code: number | null;
  readonly lines: readonly string[];
}

/** Runs the command as a person does. Its output never contains the token. */
const smoke = async (environment: Readonly<Record<'BASE_URL' | 'TOKEN', string>>): Promise<Run> => {
  const { code, output } = await runCommand(process.execPath, checkout, ['tools/smoke.ts'], environment)
    .ended;
  for (const part of environment.TOKEN.split('.')) if (part !== '') expect(output).not.toContain(part);
  return { code, lines: ownLines(output) };
};

let alice = '';
beforeAll(async () => {
  service = await startService(project);
  alice = await tokenOf('alice', '--group', 'gardeners');
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

describe('npm run smoke', () => {
  it('passes against npm start, and says what it could not check', async () => {
    const { code, lines } = await smoke({ BASE_URL: service.baseUrl, TOKEN: alice });
    expect(lines).toEqual([
      ...[/byte order$/, /limit/, /Link/, /1001$/, /1002$/, /Authorization/, /token/, /path.*method/].map(
        (check): unknown => expect.stringMatching(new RegExp(`^passed  .*${check.source}`)),
      ),
      expect.stringMatching(/^passed  .*compressed; not checked: .*8 KB$/),
      expect.stringMatching(/^passed  .*openapi\.yaml/),
      expect.stringContaining(`${service.baseUrl}/`),
    ]);
    expect(code).toBe(0);
  });

  it('says of a caller without plants what it could not check', async () => {
    const { code, lines } = await smoke({ BASE_URL: service.baseUrl, TOKEN: await tokenOf('nobody') });
    expect(code).toBe(0);
    expect(lines.flatMap((line) => line.split('not checked: ')[1] ?? [])).toEqual(
      [
        /order\b.*two plants/,
        /limit\b.*two plants/,
        /page\b.*two plants/,
        /cursor/,
        /compression\b.*8 KB/,
      ].map((each): unknown => expect.stringMatching(each)),
    );
  });

  it('checks compression where the list is large enough', async () => {
    const table = dynamoDbTable(service.storeEndpoint, service.tableName);
    const plants = Array.from({ length: 12 }, (_, id) => item('user#carol', 'x'.repeat(800), String(id)));
    await table.put(plants);
    table.close();
    const { lines } = await smoke({ BASE_URL: service.baseUrl, TOKEN: await tokenOf('carol') });
    expect(lines).toContainEqual(expect.stringMatching(/^passed  .*compressed$/));
  });
});

/** Changes the list in a 200. */
const listIs =
  (change: (plants: readonly Plant[], path: string) => readonly object[]): ResponseChange =>
  (response, { path }) =>
    response.status === 200 ? { ...response, body: change(plantList.parse(response.body), path) } : response;

const headerIs =
  (name: string, value: string | undefined): ResponseChange =>
  (response) => ({ ...response, headers: { ...response.headers, [name]: value } });

/** Changes a response with status 400. */
const errorIs =
  (change: ResponseChange): ResponseChange =>
  (response, request) =>
    response.status === 400 ? change(response, request) : response;

const isSecondPage = (path: string): boolean => path.includes('cursor=') && path.includes('limit=8');

const alterations: readonly (readonly [string, Alteration, readonly RegExp[]])[] = [
  [
    'orders by UTF-16 units',
    { response: listIs((plants) => plants.toSorted((a, b) => (a.name < b.name ? -1 : 1))) },
    [/byte order: GET \/plants: .*\b22\b.*\b21$/, /limit.*: GET \/plants\?limit=21: .*\b21$/],
  ],
  [
    'leaves out the Link',
    { response: headerIs('link', undefined) },
    [/: GET \/plants\?limit=8: .*\bLink\b.*\b14\b/],
  ],
  [
    'leaves out Vary',
    { response: headerIs('vary', undefined) },
    [/openapi\.yaml.*: GET \/plants: .*\bVary\b/],
  ],
  [
    'shows more of a plant than name and tag',
    { response: listIs((plants) => plants.map((plant) => ({ ...plant, price: 5 }))) },
    [/openapi\.yaml.*: GET \/plants: .*\bbody\b.*\/0\b.*\bprice\b/],
  ],
  [
    'counts one more than the limit',
    {
      request: ({ path, headers }) => ({
        path: path.replace(/(?<=limit=)[1-9]\d?(?=&cursor|$)/, (limit) => String(Number(limit) + 1)),
        headers,
      }),
    },
    [/limit.*: GET \/plants\?limit=1: .*\b1 plants\b.*\b2$/],
  ],
  [
    'repeats a plant on the second page',
    { response: listIs((plants, path) => [...(isSecondPage(path) ? plants.slice(0, 1) : []), ...plants]) },
    [/: GET \/plants\?limit=8 .*\b22 plants\b.*\b24$/],
  ],
  [
    'accepts everybody',
    {
      request: ({ path, headers }) => ({ path, headers: { ...headers, authorization: `Bearer ${alice}` } }),
    },
    [
      /: GET \/plants without Authorization: .*\b401\b.*\b200$/,
      /: GET \/plants .*signature: .*\b403\b.*\b200$/,
    ],
  ],
  [
    'gives the same error for everything',
    { response: errorIs((response) => ({ ...response, body: { error: 2000, message: 'No.' } })) },
    [/: GET \/plants\?limit=: .*\b1001\b.*\b2000$/, /: GET \/plants\?limit=1&cursor=: .*\b1002\b.*\b2000$/],
  ],
  [
    'accepts an altered cursor',
    {
      response: errorIs((response, { path }) =>
        /cursor=.{8}/.test(path)
          ? { ...response, status: 200, headers: { ...response.headers, vary: 'Accept-Encoding' }, body: [] }
          : response,
      ),
    },
    [/: GET \/plants .*cursor: .*\b400 .*\b1002\b.*\b200$/],
  ],
  [
    'gives the list for another path',
    { request: ({ path, headers }) => ({ path: path.replace(/^\/plants\/1$/, '/plants'), headers }) },
    [/: GET \/plants\/1: .*\b404\b.*\b200$/],
  ],
  [
    'gives another list to those who accept br',
    {
      response: (response, { headers }) =>
        headers['accept-encoding'] === 'br' ? { ...response, body: [] } : response,
    },
    [/: GET \/plants .*\bbr: .*\b22 plants\b.*\b0$/],
  ],
];

describe.concurrent('npm run smoke names request, expected and received value when a service', () => {
  it.each(alterations)('%s', async (_, alteration, expected) => {
    const { code, lines } = await withAltered(service.baseUrl, alteration, (baseUrl) =>
      smoke({ BASE_URL: baseUrl, TOKEN: alice }),
    );
    expect(lines.flatMap((line) => line.split('FAILED  ')[1] ?? [])).toEqual(
      expected.map((each): unknown => expect.stringMatching(each)),
    );
    expect(lines.at(-1)).toMatch(new RegExp(`: ${String(expected.length)} failed\\.$`));
    expect(code).toBe(1);
  });

  it('does not compress a large list', async () => {
    const { lines } = await withAltered(service.baseUrl, {}, async (baseUrl) =>
      smoke({ BASE_URL: baseUrl, TOKEN: await tokenOf('carol') }),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^FAILED .*: GET \/plants .*\bContent-Encoding br\b/));
  });
});

describe.concurrent('npm run smoke reports in one line', () => {
  const expectLine = async (environment: Parameters<typeof smoke>[0], line: RegExp): Promise<void> => {
    const { code, lines } = await smoke(environment);
    expect([code, ...lines]).toEqual([1, expect.stringMatching(line)]);
  };

  it.each(['', 'http://plants.example.com', 'https://plants.example.com/?stage=prod'])(
    'what BASE_URL must be when it is "%s"',
    async (baseUrl) => {
      await expectLine({ BASE_URL: baseUrl, TOKEN: alice }, /BASE_URL\b.*https\b/);
    },
  );

  it.each(['', 'Bearer abc'])('what TOKEN must be when it is "%s"', async (token) => {
    await expectLine({ BASE_URL: service.baseUrl, TOKEN: token }, /TOKEN\b.*access token\b.*Bearer/);
  });

  it('that the service does not respond', async () => {
    await expectLine(
      { BASE_URL: 'http://127.0.0.1:1', TOKEN: alice },
      /^http:\/\/127\.0\.0\.1:1\/ .*\bECONNREFUSED\b/,
    );
  });

  it('that it refuses the caller', async () => {
    await expectLine(
      { BASE_URL: service.baseUrl, TOKEN: alice.slice(0, -20) },
      new RegExp(`^${service.baseUrl}/ .*: GET /plants: .*\\b200\\b.*\\b403\\b`),
    );
  });

  it('that another server responds there', async () => {
    const page: ResponseChange = (response) => ({ ...response, text: '<!doctype html>' });
    const { lines } = await withAltered(service.baseUrl, { response: page }, (baseUrl) =>
      smoke({ BASE_URL: baseUrl, TOKEN: alice }),
    );
    expect(lines).toEqual([expect.stringMatching(/: GET \/plants: .*\blist of plants\b.*\bbody\b/)]);
  });
});
