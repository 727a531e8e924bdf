import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { item, type Plant, plantList } from '../contract/plants.ts';
import {
  type Alteration,
  type ResponseChange,
  type RequestChange,
  withAltered,
} from '../support/altered-service.ts';
import { dynamoDbTable } from '../support/dynamodb-table.ts';
import { ownLines } from '../support/lines.ts';
import { copyProject, type LocalService, npm, runCommand, startService } from '../support/local-service.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
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

/** Runs the command as a person does; whatever it says, the token is not in it. */
const smoke = async (environment: Readonly<Record<'BASE_URL' | 'TOKEN', string>>): Promise<Run> => {
  const { code, output } = await runCommand(process.execPath, checkout, ['test/smoke.ts'], environment).ended;
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
  it('passes against npm start, and says what it could not see', async () => {
    const { code, lines } = await smoke({ BASE_URL: service.baseUrl, TOKEN: alice });
    expect(lines).toEqual([
      'passed  lists plants by name in UTF-8 byte order',
      'passed  lists the first `limit` plants',
      'passed  links to the next page, and lists each plant exactly once across the pages',
      'passed  rejects an invalid limit with error 1001',
      'passed  rejects an invalid cursor with error 1002',
      'passed  rejects a request without an Authorization header',
      'passed  rejects an altered token',
      'passed  has no other path and no other method',
      "passed  lists the same plants in a compressed response; not checked: compression, as the caller's list is not above 8 KB",
      'passed  responds as openapi.yaml describes',
      `${service.baseUrl}/ passes all read-only checks.`,
    ]);
    expect(code).toBe(0);
  });

  it('says of a caller without plants which checks could not bite', async () => {
    const { code, lines } = await smoke({ BASE_URL: service.baseUrl, TOKEN: await tokenOf('nobody') });
    expect(code).toBe(0);
    expect(lines.flatMap((line) => line.split('not checked: ')[1] ?? [])).toEqual([
      'the order, as the caller has fewer than two plants',
      'a limit below the number of plants, as the caller has fewer than two plants',
      'a second page, as the caller has fewer than two plants',
      'an altered cursor, as no response had a cursor',
      "compression, as the caller's list is not above 8 KB",
    ]);
  });

  it('sees compression where the list is large enough', async () => {
    const table = dynamoDbTable(service.storeEndpoint, service.tableName);
    const plants = Array.from({ length: 12 }, (_, id) => item('user#carol', 'x'.repeat(800), String(id)));
    await table.put(plants);
    table.close();
    const { lines } = await smoke({ BASE_URL: service.baseUrl, TOKEN: await tokenOf('carol') });
    expect(lines).toContain('passed  lists the same plants in a compressed response');
  });
});

/** Changes the list in a 200. */
const plantsAre =
  (change: (plants: readonly Plant[], path: string) => readonly object[]): ResponseChange =>
  (answer, { path }) =>
    answer.status === 200 ? { ...answer, body: change(plantList.parse(answer.body), path) } : answer;

const headerIs =
  (name: string, value: string | undefined): ResponseChange =>
  (answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } });

const errorIsText: ResponseChange = (answer) =>
  answer.status === 400
    ? { ...answer, headers: { ...answer.headers, 'content-type': 'text/plain' }, text: 'Bad Request' }
    : answer;

const everybodyIsAlice: RequestChange = ({ path, headers }) => ({
  path,
  headers: { ...headers, authorization: `Bearer ${alice}` },
});

const isSecondPage = (path: string): boolean => path.includes('cursor=') && path.includes('limit=8');

describe.concurrent('npm run smoke names what was expected and what came where a service', () => {
  it.each<[string, Alteration, readonly string[]]>([
    [
      'orders by UTF-16 units',
      { response: plantsAre((plants) => plants.toSorted((a, b) => (a.name < b.name ? -1 : 1))) },
      [
        'lists plants by name in UTF-8 byte order: GET /plants: expected names in UTF-8 byte order; received plant 22, which belongs before plant 21',
        'lists the first `limit` plants: GET /plants?limit=21: expected the plants of the whole list; received a different plant 21',
      ],
    ],
    [
      'leaves out the Link',
      { response: headerIs('link', undefined) },
      [
        'links to the next page, and lists each plant exactly once across the pages: GET /plants?limit=8: expected a Link to the next page, as 14 more plants follow; received none',
      ],
    ],
    [
      'gives a Link where no page follows',
      { response: headerIs('link', '<?limit=1&cursor=AAAAAAA>; rel="next"') },
      [
        'links to the next page, and lists each plant exactly once across the pages: GET /plants: expected no Link, as no page follows; received one',
        'responds as openapi.yaml describes: GET /plants?limit=: expected no Link with status 400; received one',
        'responds as openapi.yaml describes: GET /plants: expected no Link with status 401; received one',
        'responds as openapi.yaml describes: GET /plants: expected no Link with status 403; received one',
        'responds as openapi.yaml describes: GET /: expected no Link with status 404; received one',
      ],
    ],
    [
      'answers errors in plain text',
      { response: errorIsText },
      [
        'rejects an invalid limit with error 1001: GET /plants?limit=: expected status 400 with error 1001; received status 400',
        'rejects an invalid cursor with error 1002: GET /plants?limit=1&cursor=: expected status 400 with error 1002; received status 400',
        'responds as openapi.yaml describes: GET /plants?limit=: expected Content-Type application/json; received text/plain',
        'responds as openapi.yaml describes: GET /plants?limit=: expected a JSON body; received another',
      ],
    ],
    [
      'leaves out Vary',
      { response: headerIs('vary', undefined) },
      ['responds as openapi.yaml describes: GET /plants: expected Vary; received none'],
    ],
    [
      'lets caches keep a list',
      {
        response: (answer, request) =>
          answer.status === 200 ? headerIs('cache-control', 'max-age=60')(answer, request) : answer,
      },
      [
        'responds as openapi.yaml describes: GET /plants: expected Cache-Control as {"const":"private, no-store"}; received max-age=60',
      ],
    ],
    [
      'shows more of a plant than name and tag',
      { response: plantsAre((plants) => plants.map((plant) => ({ ...plant, price: 5 }))) },
      [
        'responds as openapi.yaml describes: GET /plants: expected a body as described; received one in which /0 must NOT have additional properties {"additionalProperty":"price"}',
      ],
    ],
    [
      'counts one more than the limit',
      {
        request: ({ path, headers }) => ({
          path: path.replace(/(?<=limit=)[1-9]\d?(?=&cursor|$)/, (limit) => String(Number(limit) + 1)),
          headers,
        }),
      },
      ['lists the first `limit` plants: GET /plants?limit=1: expected 1 plants; received 2'],
    ],
    [
      'repeats a plant on the second page',
      {
        response: plantsAre((plants, path) =>
          isSecondPage(path) ? [...plants.slice(0, 1), ...plants] : plants,
        ),
      },
      [
        'links to the next page, and lists each plant exactly once across the pages: GET /plants?limit=8 and its links: expected 22 plants; received 24',
      ],
    ],
    [
      'leaves out a plant on the second page',
      { response: plantsAre((plants, path) => (isSecondPage(path) ? plants.slice(1) : plants)) },
      [
        'links to the next page, and lists each plant exactly once across the pages: GET /plants?limit=8&cursor=...: expected a Link to the next page, as 2 more plants follow; received none',
      ],
    ],
    [
      'lets everybody in',
      { request: everybodyIsAlice },
      [
        'rejects a request without an Authorization header: GET /plants without Authorization: expected status 401; received status 200',
        'rejects an altered token: GET /plants with an altered signature: expected status 403; received status 200',
      ],
    ],
    [
      'gives the same error for everything',
      {
        response: (answer) =>
          answer.status === 400 ? { ...answer, body: { error: 2000, message: 'No.' } } : answer,
      },
      [
        'rejects an invalid limit with error 1001: GET /plants?limit=: expected status 400 with error 1001; received status 400 with error 2000',
        'rejects an invalid cursor with error 1002: GET /plants?limit=1&cursor=: expected status 400 with error 1002; received status 400 with error 2000',
      ],
    ],
    [
      'takes a cursor that was altered',
      {
        response: (answer, { path }) =>
          answer.status === 400 && /cursor=.{8}/.test(path)
            ? { ...answer, status: 200, headers: { ...answer.headers, vary: 'Accept-Encoding' }, body: [] }
            : answer,
      },
      [
        'rejects an invalid cursor with error 1002: GET /plants with an altered cursor: expected status 400 with error 1002; received status 200',
      ],
    ],
    [
      'takes another path for the list',
      { request: ({ path, headers }) => ({ path: path.replace(/^\/plants\/1$/, '/plants'), headers }) },
      ['has no other path and no other method: GET /plants/1: expected status 404; received status 200'],
    ],
    [
      'gives another list to those who accept br',
      {
        response: (answer, { headers }) =>
          headers['accept-encoding'] === 'br' ? { ...answer, body: [] } : answer,
      },
      [
        'lists the same plants in a compressed response: GET /plants with Accept-Encoding br: expected 22 plants; received 0',
      ],
    ],
  ])('%s', async (_, alteration, expected) => {
    const { code, lines } = await withAltered(service.baseUrl, alteration, (baseUrl) =>
      smoke({ BASE_URL: baseUrl, TOKEN: alice }),
    );
    expect(lines.flatMap((line) => line.split('FAILED  ')[1] ?? [])).toEqual(expected);
    expect(lines.at(-1)).toMatch(new RegExp(`: ${String(expected.length)} failed\\.$`));
    expect(code).toBe(1);
  });

  it('does not compress a large list', async () => {
    const { lines } = await withAltered(service.baseUrl, {}, async (baseUrl) =>
      smoke({ BASE_URL: baseUrl, TOKEN: await tokenOf('carol') }),
    );
    expect(lines).toContain(
      'FAILED  lists the same plants in a compressed response: GET /plants with Accept-Encoding br: expected Content-Encoding br; received none',
    );
  });
});

describe.concurrent('npm run smoke says in one line', () => {
  const expectLine = async (environment: Parameters<typeof smoke>[0], line: string): Promise<void> => {
    expect(await smoke(environment)).toEqual({ code: 1, lines: [line] });
  };

  it.each(['', 'http://plants.example.com', 'https://plants.example.com/?stage=prod'])(
    'what BASE_URL must be when it is "%s"',
    async (baseUrl) => {
      await expectLine(
        { BASE_URL: baseUrl, TOKEN: alice },
        'Set BASE_URL to the https address of the service (the output BaseUrl of its stack), or to an http address of this machine, without user and query.',
      );
    },
  );

  it.each(['', 'Bearer abc'])('what TOKEN must be when it is "%s"', async (token) => {
    await expectLine(
      { BASE_URL: service.baseUrl, TOKEN: token },
      'Set TOKEN to an access token for the service: the token alone, without "Bearer" and white space.',
    );
  });

  it('that the service does not answer', async () => {
    await expectLine(
      { BASE_URL: 'http://127.0.0.1:1', TOKEN: alice },
      'http://127.0.0.1:1/ does not list plants: no readable response (ECONNREFUSED).',
    );
  });

  it('that it does not let the caller in', async () => {
    await expectLine(
      { BASE_URL: service.baseUrl, TOKEN: alice.slice(0, -20) },
      `${service.baseUrl}/ does not list plants: GET /plants: expected status 200; received status 403.`,
    );
  });

  it('that something else answers there', async () => {
    const page: ResponseChange = (answer) => ({ ...answer, text: '<!doctype html>' });
    const { lines } = await withAltered(service.baseUrl, { response: page }, (baseUrl) =>
      smoke({ BASE_URL: baseUrl, TOKEN: alice }),
    );
    expect(lines).toEqual([
      expect.stringMatching(
        /does not list plants: GET \/plants: expected a list of plants; received another body \(: Invalid input: expected array, received undefined\)\.$/,
      ),
    ]);
  });
});
