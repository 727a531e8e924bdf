// The suite `examples` proves: the clients in TypeScript and Python list all plants, wait before a retry, and
// renew their token as `openapi.yaml` describes. The client that docs/clients.md generates from
// `openapi.yaml` lists plants, reports failures, and keeps working when a release adds a field or an error
// value. The suite cannot show other generators, and the network between a caller and AWS.
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import type { CatalogueEntry } from '../../../functions/http/service-error.ts';
import type { ServiceResponse } from '../../../smoke/client.ts';
import { send } from '../../contract/described-responses.ts';
import { startFakeServer } from '../../support/fake-server.ts';
import { sectionsOf, shellBlocks } from '../../support/markdown.ts';
import { readProjectFile } from '../../support/project-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type ResponseChange, type ServiceRequest, withAltered } from '../altered-service.ts';
import { runTool } from '../run-tool.ts';
import { runCommand } from '../../support/service/command.ts';
import { copyProject, type ProjectCopy } from '../../support/service/project-copy.ts';
import { type LocalService, startService } from '../../support/service/running-service.ts';

const example = (file: string): string =>
  fileURLToPath(new URL(`../../../examples/${file}`, import.meta.url));

const clients = [
  { language: 'TypeScript', program: process.execPath, file: example('typescript/list-plants.ts') },
  {
    language: 'Python',
    program: z.string().parse(process.env['PYTHON_REQUESTS_PYTHON']),
    file: example('python/list_plants.py'),
  },
];

/** A list with all members of its plants, because a client keeps members that it does not know. */
const plantList = z.array(z.looseObject({ name: z.string(), tag: z.string().optional() }));

let project: ProjectCopy;
let service: LocalService;
/** All plants as the service lists them: with an id in a service with writes. */
let plants: z.infer<typeof plantList>;
let token: string;
/** Prints a token without npm, because starting npm would take most of the time. */
const tokenCommand = `${process.execPath} local/issuer/token.ts alice --group gardeners`;
beforeAll(async () => {
  project = copyProject();
  service = await startService(project);
  return async () => {
    await service.stop();
    project.remove();
  };
});
beforeAll(async () => {
  const rows = `seq -f '{"name":"Plant %g"}' 2001; echo '{"name":"竹"}'; echo '{"name":"Été","tag":"été"}'`;
  const load = `{ ${rows}; } | npm run -s plants -- import - --format ndjson --to user:alice`;
  await runCommand('bash', project.folder, ['-c', load]).ended;
  const { output } = await runCommand('bash', project.folder, ['-c', tokenCommand]).ended;
  token = output.trim();
  const { body } = await send(service.baseUrl, '/plants', { authorization: `Bearer ${token}` });
  plants = plantList.parse(body);
});

/** A response in place of the service's. */
type FakeResponse = Pick<ServiceResponse, 'status' | 'body'> & {
  readonly headers?: ServiceResponse['headers'];
  /** Replaces the body's JSON. */
  readonly text?: string;
};

const errorResponse = ({ statusCode: status, ...body }: CatalogueEntry): FakeResponse => ({ status, body });
const gatewayResponse = (status: number, message: string): FakeResponse => ({ status, body: { message } });
const forbidden = gatewayResponse(403, 'Forbidden');

it('the TypeScript client compiles with types generated from openapi.yaml', async () => {
  const { code, output } = await runCommand('npm', example('typescript'), ['run', '-s', 'check']).ended;
  expect(code, output).toBe(0);
});

describe.each(clients)('the $language client', ({ language, program, file }) => {
  /** Runs the client with a service that sends these responses first, and its own ones afterwards. */
  const run = async (
    firstResponses: readonly FakeResponse[],
    variables: Readonly<Record<string, string>> = {},
    [command, ...parameters]: readonly [string, ...string[]] = [program, file],
  ) => {
    const requests: ServiceRequest[] = [];
    const times: number[] = [];
    const replaceFirst: ResponseChange = (response, request) => {
      const replacement = firstResponses[requests.length];
      requests.push(request);
      times.push(performance.now());
      return replacement === undefined ? response : { ...response, headers: {}, ...replacement };
    };
    return withAltered(service.baseUrl, { response: replaceFirst }, async (baseUrl) => {
      const environment = { BASE_URL: baseUrl, TOKEN_COMMAND: `echo ${token}`, ...variables };
      const { code, output } = await runCommand(command, project.folder, parameters, environment).ended;
      // A client prints no token.
      for (const { headers } of requests) {
        expect(output).not.toContain(String(headers['authorization']).replace('Bearer ', ''));
      }
      return { code, lines: output.trim().split('\n'), requests, times };
    });
  };

  /** The plants in lines of NDJSON. */
  const plantsInLines = (lines: readonly string[]): unknown => lines.map((line): unknown => JSON.parse(line));

  it('lists all plants by following each link to the rest of the list', async () => {
    const { code, lines, requests } = await run([]);
    expect([code, plantsInLines(lines)]).toEqual([0, plants]);
    expect(plants.length).toBeGreaterThan(2000);
    expect(requests.map(({ path }) => path)).toEqual([
      '/plants?limit=1000',
      expect.stringMatching(/^\/plants\?limit=1000&cursor=[\w-]+$/),
      expect.stringMatching(/^\/plants\?limit=1000&cursor=[\w-]+$/),
    ]);
    const agents = requests.map(({ headers }) => headers['user-agent']);
    expect(agents).toEqual(Array(3).fill(`plant-store-example-${language.toLowerCase()}/1.0`));
  });

  it('lists all plants with ASCII as the encoding of the machine, and with a login in .netrc', async () => {
    const netrc = `${project.folder}/.netrc`;
    writeFileSync(netrc, 'default login anonymous password a-password\n', { mode: 0o600 });
    const { code, lines } = await run([], { NETRC: netrc, PYTHONIOENCODING: 'ascii', PYTHONUTF8: '0' });
    expect([code, plantsInLines(lines)]).toEqual([0, plants]);
  });

  it.each([
    ['an unavailable store', errorResponse(catalogue.storeUnavailable)],
    ['a 429 of the gateway', gatewayResponse(429, 'Too Many Requests')],
    ['a 500 of the gateway', gatewayResponse(500, 'Internal Server Error')],
    ['a 502 with a page of a proxy', { status: 502, body: '', text: '<html>\u009b</html>' }],
    ['a 503 with null', { status: 503, body: null }],
    ['an empty 500', { status: 500, body: '', text: '' }],
  ])('retries after %s', async (_, response) => {
    const { code, lines, requests } = await run([response, response]);
    expect([code, plantsInLines(lines)]).toEqual([0, plants]);
    // Two retries, and three requests for the list pages.
    expect(requests).toHaveLength(2 + 3);
  });

  it('waits at least the seconds in Retry-After before it retries', async () => {
    const response = { ...errorResponse(catalogue.storeUnavailable), headers: { 'retry-after': '2' } };
    const { code, times } = await run([response]);
    const [firstRequest = 0, retry = 0] = times;
    expect(code).toBe(0);
    expect(retry - firstRequest).toBeGreaterThanOrEqual(2000);
  });

  it.each(['-5', '1.5', '1e3', '0x10', 'soon', '1, 2', '', 'Wed, 21 Oct 2099 07:28:00 GMT'])(
    'ignores a Retry-After of "%s", which is not whole seconds, and retries',
    async (value) => {
      const response = { ...errorResponse(catalogue.storeUnavailable), headers: { 'retry-after': value } };
      const { code, lines, requests } = await run([response]);
      expect([code, plantsInLines(lines), requests.length]).toEqual([0, plants, 1 + 3]);
    },
  );

  it.each(['61', '99999999999', '9'.repeat(5000)])(
    'gives up with one line without a retry when Retry-After is %s',
    async (value) => {
      const response = { ...errorResponse(catalogue.storeUnavailable), headers: { 'retry-after': value } };
      const { code, lines, requests } = await run([response]);
      expect([code, lines, requests.length]).toEqual([1, [expect.stringContaining(value)], 1]);
    },
  );

  it.each([
    ['denied', forbidden],
    ['denied by a page of a firewall', { status: 403, body: '', text: '<html></html>' }],
    ['expired', errorResponse(catalogue.noCaller)],
  ])('gets a new token and lists all plants when its token is %s', async (_, response) => {
    const { code, lines, requests } = await run([response], { TOKEN_COMMAND: tokenCommand });
    expect([code, plantsInLines(lines)]).toEqual([0, plants]);
    const tokens = requests.map(({ headers }) => headers['authorization']);
    expect(new Set(tokens).size).toBe(2);
    expect(new Set(tokens.slice(1)).size).toBe(1);
  });

  it.each<
    [
      condition: string,
      responses: readonly FakeResponse[],
      count: number,
      message: RegExp,
      variables?: Readonly<Record<string, string>>,
    ]
  >([
    ['no server responds', [], 0, /"attempts": ?5\b.*refused/i, { BASE_URL: 'http://127.0.0.1:65535' }],
    ['TOKEN_COMMAND is empty', [], 0, /TOKEN_COMMAND/, { TOKEN_COMMAND: '' }],
    [
      'TOKEN_COMMAND prints more than a token',
      [],
      0,
      /TOKEN_COMMAND/,
      { TOKEN_COMMAND: 'npm_config_loglevel=notice npm run token -- alice' },
    ],
    ['a second token is denied', [forbidden, forbidden], 2, /"status": ?403\b.*"Forbidden"/],
    [
      'the request is invalid',
      [{ ...errorResponse(catalogue.invalidLimit), headers: { 'apigw-requestid': 'JKJaXmPLvHcESHA=' } }],
      1,
      /"attempts": ?1\b.*\b400\b.*\b1001\b.*"apigw-requestid": ?"JKJaXmPLvHcESHA="\}$/,
    ],
    [
      'the store stays down',
      Array.from({ length: 9 }, () => errorResponse(catalogue.storeUnavailable)),
      5,
      /"attempts": ?5\b.*\b400\b.*\b2001\b/,
    ],
  ])('gives up with one line when %s', async (_, responses, count, message, variables) => {
    const { code, lines, requests } = await run(responses, variables);
    expect([code, lines]).toEqual([1, [expect.stringMatching(message)]]);
    expect(requests).toHaveLength(count);
  });

  it.each<[content: string, body: unknown]>([
    ['an object whose error is text', { error: '2001', message: 'No.' }],
    ['an object whose error is a list', { error: [2001] }],
    ['an object whose error is true', { error: true, message: 'No.' }],
    ['an object whose error and message are null', { error: null, message: null }],
    ['an object whose message is an object', { error: 1001, message: { text: 'No.' } }],
    ['a list', [{ error: 2001 }]],
    ['text', 'No.'],
    ['null', null],
    ['a number', 2001],
  ])('gives up with one line after a 400 whose body is %s', async (_, body) => {
    const { code, lines, requests } = await run([{ status: 400, body }]);
    expect([code, lines, requests.length]).toEqual([
      1,
      [expect.stringMatching(/^Gave up: {"attempts": ?1, ?"status": ?400\b/)],
      1,
    ]);
  });

  it.each<[content: string, body: unknown, text?: string]>([
    ['an object', { name: 'Fig' }],
    ['null', null],
    ['a list of texts', ['Fig']],
    ['a list of plants without names', [{ tag: 'tree' }]],
    ['a list of a plant whose name is a number', [{ name: 5 }]],
    ['an HTML page', '', '<html></html>'],
    ['empty', '', ''],
    ['100,000 nested lists', '', '['.repeat(100_000)],
  ])('gives up with one line, and prints no plant, after a 200 whose body is %s', async (_, body, text) => {
    const { code, lines, requests } = await run([{ status: 200, body, ...(text !== undefined && { text }) }]);
    expect([code, lines, requests.length]).toEqual([
      1,
      [expect.stringMatching(/^Gave up: {"attempts": ?1, ?"status": ?200\b/)],
      1,
    ]);
  });

  const invisible = '\u001b[2J\u007f\u009b\u202e\u2028\u{e0001}\ud800';
  it('escapes control and invisible characters of plants and of messages', async () => {
    const plant = { name: `${invisible}竹🌵`, tag: invisible };
    const link = { link: '<plants?limit=1000&cursor=x>; rel="next"' };
    const { code, lines } = await run([
      { status: 200, body: [plant], headers: link },
      { status: 400, body: { error: 1001, message: `${invisible}\n竹🌵` } },
    ]);
    expect([code, plantsInLines(lines.slice(0, 1)), lines.length]).toEqual([1, [plant], 2]);
    const visible = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*竹🌵[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;
    expect(lines).toEqual([expect.stringMatching(visible), expect.stringMatching(visible)]);
  });

  it('retries when a response keeps sending but does not end in time', async () => {
    // A body that never ends. A client without a deadline for the whole response would wait for ever.
    const endlessBody = async function* (): AsyncGenerator<string> {
      for (;;) {
        yield ' ';
        await setTimeout(1000);
      }
    };
    let count = 0;
    const server = await startFakeServer(() => {
      count += 1;
      const body = count === 1 ? Readable.from(endlessBody()) : Buffer.from('[{"name":"Fig"}]');
      return Promise.resolve({ status: 200, headers: {}, body });
    });
    const environment = { BASE_URL: server.url, TOKEN_COMMAND: 'echo token' };
    const { code, output } = await runCommand(program, project.folder, [file], environment).ended;
    await server.close();
    expect([code, plantsInLines(output.trim().split('\n')), count]).toEqual([0, [{ name: 'Fig' }], 2]);
  });

  it.each([
    // Standard output is a pipe whose reader has ended before the client starts.
    ['before the first plant', 'exec > >(:); wait $!; exec "$0" "$1"', ''],
    // Standard output is a pipe whose reader ends after one line.
    ['after the first plant', '"$0" "$1" | head -n 1', '{"name":"Fig"}'],
  ])(
    'ends silently after at most two requests when its output is closed %s',
    async (_, script, firstLine) => {
      // Each response is longer than a pipe's buffer.
      const headers = { link: '<?limit=1000&cursor=next>; rel="next"' };
      const longResponse = {
        status: 200,
        headers,
        body: Array.from({ length: 10_000 }, () => ({ name: 'Fig' })),
      };
      const command = ['bash', '-c', `set -o pipefail; ${script}`, program, file] as const;
      const { code, lines, requests } = await run(Array(9).fill(longResponse), {}, command);
      expect([code, lines.map((line) => line.replace(' ', ''))]).toEqual([0, [firstLine]]);
      expect(requests.length).toBeLessThanOrEqual(2);
    },
  );

  const firstPage = '?limit=1000';
  const secondPage = '?limit=1000&cursor=second';
  it.each<[condition: string, links: readonly string[], requested: readonly string[]]>([
    ['a Link leads to its own request', [firstPage], [firstPage]],
    [
      'the Link of the second list page leads to its own request',
      [secondPage, secondPage],
      [firstPage, secondPage],
    ],
    [
      'the Link of the second list page leads to the first request',
      [secondPage, firstPage],
      [firstPage, secondPage],
    ],
  ])('gives up with one line if %s', async (_, links, requested) => {
    const pages = links.map((link) => ({
      status: 200,
      body: [{ name: 'Fig' }],
      headers: { link: `<${link}>; rel="next"` },
    }));
    const { code, lines, requests } = await run(pages);
    expect([code, plantsInLines(lines.slice(0, -1))]).toEqual([1, requested.map(() => ({ name: 'Fig' }))]);
    expect(lines.slice(-1)).toEqual([expect.stringMatching(/\bLink\b/)]);
    expect(requests.map(({ path }) => path)).toEqual(requested.map((query) => `/plants${query}`));
  });

  it.each([
    ['plants?limit=7&cursor=x', '/plants?limit=7&cursor=x'],
    ['?cursor=x', '/plants?cursor=x'],
    ['/plants?limit=1000&cursor=x', '/plants?limit=1000&cursor=x'],
    ['./plants?limit=1000&cursor=x', '/plants?limit=1000&cursor=x'],
    ['/v2/plants?cursor=x', '/v2/plants?cursor=x'],
    ['BASE_URL/plants?limit=1000&cursor=x', '/plants?limit=1000&cursor=x'],
  ])('resolves the Link %s against the request URL, and keeps its query', async (link, path) => {
    const requested = await requestsFor((baseUrl) => `<${link.replace('BASE_URL', baseUrl)}>; rel="next"`);
    expect(requested).toEqual(['/plants?limit=1000', path]);
  });

  it.each([
    '<plants?cursor=x>; rel=next',
    '<plants?cursor=x>; title="more"; rel="next"',
    '<plants?cursor=x>; rel="next"; title="more"',
    '<plants>; rel="prev", <plants?cursor=x>; rel="next"',
    '<plants?cursor=x>;rel="next", <plants>; rel="first"',
  ])('follows the link to the next list page in %s', async (link) => {
    expect(await requestsFor(() => link)).toEqual(['/plants?limit=1000', '/plants?cursor=x']);
  });

  it.each(['<plants?cursor=x>', '<plants?cursor=x>; rel="prev"', 'plants?cursor=x; rel="next"', ''])(
    'ends after the first list page when its Link header is “%s”, without a next page',
    async (link) => {
      expect(await requestsFor(() => link)).toEqual(['/plants?limit=1000']);
    },
  );

  /** The paths that the client requests from a service whose first page has this Link. */
  const requestsFor = async (linkOf: (baseUrl: string) => string): Promise<readonly string[]> => {
    const paths: string[] = [];
    const server = await startFakeServer(({ path }) => {
      const headers = paths.length === 0 ? { link: linkOf(server.url) } : {};
      paths.push(path);
      return Promise.resolve({ status: 200, headers, body: Buffer.from('[{"name":"Fig"}]') });
    });
    const environment = { BASE_URL: `${server.url}/`, TOKEN_COMMAND: 'echo token' };
    const { code, output } = await runCommand(program, project.folder, [file], environment).ended;
    await server.close();
    expect([code, output.trim().split('\n').length]).toEqual([0, paths.length]);
    return paths;
  };

  /**
   * Runs the client with responses that name another origin, and expects that this origin gets no request.
   */
  const runWithOtherOrigin = async (responses: (otherOrigin: string) => readonly FakeResponse[]) => {
    let requestCount = 0;
    const otherServer = await startFakeServer(() => {
      requestCount += 1;
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('[{"name":"Other"}]') });
    });
    const result = await run(responses(otherServer.url));
    await otherServer.close();
    expect(requestCount).toBe(0);
    return result;
  };

  it.each<[content: string, target: (otherOrigin: string) => string]>([
    ['another origin', (url) => `${url}/plants?limit=1000&cursor=x`],
    ['another origin without a scheme', (url) => `${url.replace('http:', '')}/plants?limit=1000`],
    ['a user name before the host', (url) => `${url.replace('//', '//127.0.0.1@')}/plants`],
    ['a backslash before a user name', (url) => `${url.replace('//', '//127.0.0.1\\@')}/plants`],
    ['a scheme that is not HTTP', () => 'file:///etc/passwd'],
    ['an invalid URL', () => 'http://[::1/plants'],
  ])('gives up with one line, and does not follow the Link, when a Link has %s', async (_, target) => {
    const { code, lines, requests } = await runWithOtherOrigin((otherOrigin) => [
      { status: 200, body: [{ name: 'Fig' }], headers: { link: `<${target(otherOrigin)}>; rel="next"` } },
    ]);
    expect([code, plantsInLines(lines.slice(0, 1)), requests.length]).toEqual([1, [{ name: 'Fig' }], 1]);
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^The Link header /)]);
  });

  it.each<[status: number, target: string, location: (otherOrigin: string) => string]>([
    [301, 'another origin', (url) => `${url}/plants`],
    [302, 'another origin', (url) => `${url}/plants?limit=1000`],
    [307, 'another origin', (url) => `${url}/plants`],
    [308, 'another origin without a scheme', (url) => `${url.replace('http:', '')}/plants`],
    [303, 'itself', () => '/plants'],
    [302, 'an invalid URL', () => 'http://[::1/plants'],
  ])('does not follow a %s to %s, and prints no plants', async (status, _, location) => {
    const { code, lines } = await runWithOtherOrigin((otherOrigin) =>
      Array.from({ length: 9 }, () => ({
        status,
        body: [{ name: 'Other' }],
        headers: { location: location(otherOrigin) },
      })),
    );
    expect([code, lines]).toEqual([1, [expect.stringMatching(/^Gave up: /)]]);
  });
});

describe('the generated client', () => {
  const generator = z.string().parse(process.env['OPENAPI_PYTHON_CLIENT_COMMAND']);
  /** The folder of the generator first, because its Python has the packages that the client imports. */
  const PATH = [dirname(generator), process.env['PATH']].join(delimiter);
  const folder = temporaryFolder();

  /** Runs a command in the folder of the client. @returns its standard output */
  const run = async (command: string, settings: Readonly<Record<string, string>> = {}): Promise<string> => {
    const env = { ...process.env, PATH, ...settings };
    const { succeeded, stdout, output } = await runTool('sh', ['-c', command], { cwd: folder, env });
    expect(succeeded, output).toBe(true);
    return stdout;
  };

  beforeAll(async () => {
    writeFileSync(join(folder, 'openapi.yaml'), readProjectFile('openapi.yaml'));
    const section =
      new Map(sectionsOf(readProjectFile('docs/clients.md'), 2)).get('A generated client') ?? '';
    const [command = ''] = shellBlocks(section);
    await run(command);
  });

  /** Runs generated_client.py. @returns the JSON that it prints */
  const list = async (limit = '', settings: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const program = fileURLToPath(new URL('generated_client.py', import.meta.url));
    const client = { PYTHONPATH: 'plant-store-service-client', BASE_URL: service.baseUrl, TOKEN: token };
    return JSON.parse(await run(`python ${program} ${limit}`, { ...client, ...settings }));
  };
  const listAltered = (response: ResponseChange): Promise<unknown> =>
    withAltered(service.baseUrl, { response }, (baseUrl) => list('', { BASE_URL: baseUrl }));

  it('lists all plants with their names and tags', async () => {
    expect(await list()).toEqual({ pages: [plants] });
    const namesAndTags = plants.map(({ name, tag }) => ({ name, tag }));
    expect(namesAndTags).toContainEqual({ name: 'Été', tag: 'été' });
    expect(namesAndTags).toContainEqual({ name: '竹' });
  });

  it('follows the links between three list pages', async () => {
    const pages = [0, 1000, 2000].map((start) => plants.slice(start, start + 1000));
    expect(await list('1000')).toEqual({ pages });
  });

  it('reports status and message of a request without a token', async () => {
    expect(await list('', { TOKEN: '' })).toEqual({ status: 401, message: 'Unauthorized' });
  });

  it.each<[response: string, entry: CatalogueEntry]>([
    ['a documented error', catalogue.invalidLimit],
    ['an error value that a later release adds', { ...catalogue.invalidLimit, error: 1999 }],
    ['the status 401 and an error value that a later release adds', { ...catalogue.noCaller, error: 1998 }],
  ])(
    'reports a response that has a further field and %s',
    async (_, { statusCode: status, error, message }) => {
      const body = { error, message, limit: 5 };
      expect(await listAltered((response) => ({ ...response, status, body }))).toEqual({
        status,
        error,
        message,
      });
    },
  );

  it('lists plants that have a field that a later release adds', async () => {
    const printed = await listAltered((response) => ({
      ...response,
      body: plantList.parse(response.body).map((plant) => ({ ...plant, origin: 'Réunion' })),
    }));
    expect(printed).toMatchObject({ pages: [plants] });
  });
});
