// The suite `examples` proves: the clients in TypeScript and Python list all plants, wait, and renew their
// token as `openapi.yaml` describes; the client that docs/clients.md generates from it lists plants, reports
// failures, and keeps working when a release adds a field or an error value. It cannot show other generators,
// and the network between a caller and AWS.
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
import type { Plant } from '../../../smoke/plant-list.ts';
import { plantsIn } from '../../contract/plants.ts';
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

let project: ProjectCopy;
let service: LocalService;
let plants: readonly Plant[];
let token: string;
// npm would take most of the time.
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
  plants = plantsIn(await send(service.baseUrl, '/plants', { authorization: `Bearer ${token}` }));
});

type Fault = Pick<ServiceResponse, 'status' | 'body'> & {
  readonly headers?: ServiceResponse['headers'];
  /** Replaces the body's JSON. */
  readonly text?: string;
};

const failure = ({ statusCode: status, ...body }: CatalogueEntry): Fault => ({ status, body });
const gatewayFailure = (status: number, message: string): Fault => ({ status, body: { message } });
const forbidden = gatewayFailure(403, 'Forbidden');

it('the TypeScript client compiles with types generated from openapi.yaml', async () => {
  const { code, output } = await runCommand('npm', example('typescript'), ['run', '-s', 'check']).ended;
  expect(code, output).toBe(0);
});

describe.each(clients)('the $language client', ({ language, program, file }) => {
  /** Runs the client against a service that gives these responses first, and good ones afterwards. */
  const run = async (
    faults: readonly Fault[],
    variables: Readonly<Record<string, string>> = {},
    [command, ...parameters]: readonly [string, ...string[]] = [program, file],
  ) => {
    const requests: ServiceRequest[] = [];
    const times: number[] = [];
    const alter: ResponseChange = (good, request) => {
      const fault = faults[requests.length];
      requests.push(request);
      times.push(performance.now());
      return { ...good, headers: {}, ...(fault ?? { headers: good.headers }) };
    };
    return withAltered(service.baseUrl, { response: alter }, async (baseUrl) => {
      const environment = { BASE_URL: baseUrl, TOKEN_COMMAND: `echo ${token}`, ...variables };
      const { code, output } = await runCommand(command, project.folder, parameters, environment).ended;
      for (const { headers } of requests) {
        expect(output).not.toContain(String(headers['authorization']).replace('Bearer ', ''));
      }
      return { code, lines: output.trim().split('\n'), requests, times };
    });
  };

  const listed = (lines: readonly string[]): unknown => lines.map((line): unknown => JSON.parse(line));

  it('lists all plants by following each link to the rest of the list', async () => {
    const { code, lines, requests } = await run([]);
    expect([code, listed(lines)]).toEqual([0, plants]);
    expect(plants.length).toBeGreaterThan(2000);
    expect(requests.map(({ path }) => path)).toEqual([
      '/plants?limit=1000',
      expect.stringMatching(/^\/plants\?limit=1000&cursor=[\w-]+$/),
      expect.stringMatching(/^\/plants\?limit=1000&cursor=[\w-]+$/),
    ]);
    const agents = requests.map(({ headers }) => headers['user-agent']);
    expect(agents).toEqual(Array(3).fill(`plant-store-example-${language.toLowerCase()}/1.0`));
  });

  it('lists all plants whatever the encoding of the machine and the logins in its .netrc', async () => {
    const netrc = `${project.folder}/.netrc`;
    writeFileSync(netrc, 'default login anonymous password a-password\n', { mode: 0o600 });
    const { code, lines } = await run([], { NETRC: netrc, PYTHONIOENCODING: 'ascii', PYTHONUTF8: '0' });
    expect([code, listed(lines)]).toEqual([0, plants]);
  });

  it.each([
    ['an unavailable store', failure(catalogue.storeUnavailable)],
    ['a 429 of the gateway', gatewayFailure(429, 'Too Many Requests')],
    ['a 500 of the gateway', gatewayFailure(500, 'Internal Server Error')],
    ['a 502 with a page of a proxy', { status: 502, body: '', text: '<html>\u009b</html>' }],
    ['a 503 with null', { status: 503, body: null }],
    ['an empty 500', { status: 500, body: '', text: '' }],
  ])('retries after %s', async (_, fault) => {
    const { code, lines, requests } = await run([fault, fault]);
    expect([code, listed(lines)]).toEqual([0, plants]);
    expect(requests).toHaveLength(2 + 3);
  });

  it('waits for the time in Retry-After', async () => {
    const fault = { ...failure(catalogue.storeUnavailable), headers: { 'retry-after': '2' } };
    const { code, times } = await run([fault]);
    const [refused = 0, retried = 0] = times;
    expect(code).toBe(0);
    expect(retried - refused).toBeGreaterThanOrEqual(2000);
  });

  it.each(['-5', '1.5', '1e3', '0x10', 'soon', '1, 2', '', 'Wed, 21 Oct 2099 07:28:00 GMT'])(
    'retries without waiting for a Retry-After of "%s", which is not whole seconds',
    async (value) => {
      const fault = { ...failure(catalogue.storeUnavailable), headers: { 'retry-after': value } };
      const { code, lines, requests } = await run([fault]);
      expect([code, listed(lines), requests.length]).toEqual([0, plants, 1 + 3]);
    },
  );

  it.each(['61', '99999999999', '9'.repeat(5000)])(
    'gives up with one line instead of waiting for a Retry-After of %s',
    async (value) => {
      const fault = { ...failure(catalogue.storeUnavailable), headers: { 'retry-after': value } };
      const { code, lines, requests } = await run([fault]);
      expect([code, lines, requests.length]).toEqual([1, [expect.stringContaining(value)], 1]);
    },
  );

  it.each([
    ['denied', forbidden],
    ['denied by a page of a firewall', { status: 403, body: '', text: '<html></html>' }],
    ['expired', failure(catalogue.noCaller)],
  ])('gets a new token when its own is %s', async (_, fault) => {
    const { code, lines, requests } = await run([fault], { TOKEN_COMMAND: tokenCommand });
    expect([code, listed(lines)]).toEqual([0, plants]);
    const tokens = requests.map(({ headers }) => headers['authorization']);
    expect(new Set(tokens).size).toBe(2);
    expect(new Set(tokens.slice(1)).size).toBe(1);
  });

  it.each<[string, readonly Fault[], number, RegExp, Readonly<Record<string, string>>?]>([
    ['no server responds', [], 0, /"attempts": ?5\b.*refused/i, { BASE_URL: 'http://127.0.0.1:65535' }],
    ['it cannot get a token', [], 0, /TOKEN_COMMAND/, { TOKEN_COMMAND: '' }],
    ['it gets more than a token', [], 0, /TOKEN_COMMAND/, { TOKEN_COMMAND: 'npm run token -- alice' }],
    ['a second token is denied', [forbidden, forbidden], 2, /"status": ?403\b.*"Forbidden"/],
    [
      'the request is invalid',
      [{ ...failure(catalogue.invalidLimit), headers: { 'apigw-requestid': 'JKJaXmPLvHcESHA=' } }],
      1,
      /"attempts": ?1\b.*\b400\b.*\b1001\b.*"apigw-requestid": ?"JKJaXmPLvHcESHA="\}$/,
    ],
    [
      'the store stays down',
      Array.from({ length: 9 }, () => failure(catalogue.storeUnavailable)),
      5,
      /"attempts": ?5\b.*\b400\b.*\b2001\b/,
    ],
  ])('gives up with one line when %s', async (_, faults, count, message, variables) => {
    const { code, lines, requests } = await run(faults, variables);
    expect([code, lines]).toEqual([1, [expect.stringMatching(message)]]);
    expect(requests).toHaveLength(count);
  });

  it.each<[string, unknown]>([
    ['text for the error', { error: '2001', message: 'No.' }],
    ['a list for the error', { error: [2001] }],
    ['true for the error', { error: true, message: 'No.' }],
    ['null for the error', { error: null, message: null }],
    ['an object for the message', { error: 1001, message: { text: 'No.' } }],
    ['a list', [{ error: 2001 }]],
    ['text', 'No.'],
    ['null', null],
    ['a number', 2001],
  ])('gives up with one line after a 400 whose body has %s', async (_, body) => {
    const { code, lines, requests } = await run([{ status: 400, body }]);
    expect([code, lines, requests.length]).toEqual([
      1,
      [expect.stringMatching(/^Gave up: {"attempts": ?1, ?"status": ?400\b/)],
      1,
    ]);
  });

  it.each<[string, unknown, string?]>([
    ['an object', { name: 'Fig' }],
    ['null', null],
    ['a list of texts', ['Fig']],
    ['a list of plants without names', [{ tag: 'tree' }]],
    ['a plant whose name is a number', [{ name: 5 }]],
    ['a page of a proxy', '', '<html></html>'],
    ['nothing', '', ''],
    ['lists in lists', '', '['.repeat(100_000)],
  ])('gives up with one line, and prints no plant, when a 200 has %s', async (_, body, text) => {
    const { code, lines, requests } = await run([{ status: 200, body, ...(text !== undefined && { text }) }]);
    expect([code, lines, requests.length]).toEqual([
      1,
      [expect.stringMatching(/^Gave up: {"attempts": ?1, ?"status": ?200\b/)],
      1,
    ]);
  });

  const hidden = '\u001b[2J\u007f\u009b\u202e\u2028\u{e0001}\ud800';
  it('escapes control and invisible characters of plants and of messages', async () => {
    const named = { name: `${hidden}竹🌵`, tag: hidden };
    const link = { link: '<plants?limit=1000&cursor=x>; rel="next"' };
    const { code, lines } = await run([
      { status: 200, body: [named], headers: link },
      { status: 400, body: { error: 1001, message: `${hidden}\n竹🌵` } },
    ]);
    expect([code, listed(lines.slice(0, 1)), lines.length]).toEqual([1, [named], 2]);
    const visible = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*竹🌵[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;
    expect(lines).toEqual([expect.stringMatching(visible), expect.stringMatching(visible)]);
  });

  it('waits for a whole response, not for each of its parts', async () => {
    // A client without a deadline would wait for it without end.
    const endless = async function* (): AsyncGenerator<string> {
      for (;;) {
        yield ' ';
        await setTimeout(1000);
      }
    };
    let count = 0;
    const server = await startFakeServer(() => {
      count += 1;
      const body = count === 1 ? Readable.from(endless()) : Buffer.from('[{"name":"Fig"}]');
      return Promise.resolve({ status: 200, headers: {}, body });
    });
    const environment = { BASE_URL: server.url, TOKEN_COMMAND: 'echo token' };
    const { code, output } = await runCommand(program, project.folder, [file], environment).ended;
    await server.close();
    expect([code, listed(output.trim().split('\n')), count]).toEqual([0, [{ name: 'Fig' }], 2]);
  });

  it.each([
    ['before the first plant', 'exec > >(:); wait $!; exec "$0" "$1"', ''],
    ['after the first plant', '"$0" "$1" | head -n 1', '{"name":"Fig"}'],
  ])('ends silently after at most two requests when its output is closed %s', async (_, script, read) => {
    // Each response is longer than a pipe's buffer.
    const headers = { link: '<?limit=1000&cursor=next>; rel="next"' };
    const many = { status: 200, headers, body: Array.from({ length: 10_000 }, () => ({ name: 'Fig' })) };
    const command = ['bash', '-c', `set -o pipefail; ${script}`, program, file] as const;
    const { code, lines, requests } = await run(Array(9).fill(many), {}, command);
    expect([code, lines.map((line) => line.replace(' ', ''))]).toEqual([0, [read]]);
    expect(requests.length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['the first request', [''], 1],
    ['the previous request', ['&cursor=first'], 2],
    ['the first request in a cycle', ['&cursor=first', ''], 2],
  ])('gives up with one line when a Link repeats %s', async (_, cursors, count) => {
    const faults = Array.from({ length: 9 }, (_each, index) => {
      const link = `<?limit=1000${cursors[index % cursors.length] ?? ''}>; rel="next"`;
      return { status: 200, body: [{ name: 'Fig' }], headers: { link } };
    });
    const { code, lines, requests } = await run(faults);
    expect([code, listed(lines.slice(0, -1))]).toEqual([1, Array(count).fill({ name: 'Fig' })]);
    expect(lines.slice(-1)).toEqual([expect.stringMatching(/\bLink\b/)]);
    expect(requests).toHaveLength(count);
  });

  it.each([
    ['plants?limit=7&cursor=x', '/plants?limit=7&cursor=x'],
    ['?cursor=x', '/plants?cursor=x'],
    ['/plants?limit=1000&cursor=x', '/plants?limit=1000&cursor=x'],
    ['./plants?limit=1000&cursor=x', '/plants?limit=1000&cursor=x'],
    ['/v2/plants?cursor=x', '/v2/plants?cursor=x'],
    ['BASE_URL/plants?limit=1000&cursor=x', '/plants?limit=1000&cursor=x'],
  ])('requests the next list page at %s as it is, relative to the request URL', async (target, path) => {
    const requested = await requestsFor((baseUrl) => `<${target.replace('BASE_URL', baseUrl)}>; rel="next"`);
    expect(requested).toEqual(['/plants?limit=1000', path]);
  });

  it.each([
    '<plants?cursor=x>; rel=next',
    '<plants?cursor=x>; title="more"; rel="next"',
    '<plants?cursor=x>; rel="next"; title="more"',
    '<plants>; rel="prev", <plants?cursor=x>; rel="next"',
    '<plants?cursor=x>;rel="next", <plants>; rel="first"',
  ])('follows the link to the next page of %s', async (link) => {
    expect(await requestsFor(() => link)).toEqual(['/plants?limit=1000', '/plants?cursor=x']);
  });

  it.each(['<plants?cursor=x>', '<plants?cursor=x>; rel="prev"', 'plants?cursor=x; rel="next"', ''])(
    'ends the list at a Link without a next page: %s',
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

  /** Runs the client with faults that name another origin, which must get no request. */
  const runBeside = async (faults: (elsewhere: string) => readonly Fault[]) => {
    let visits = 0;
    const elsewhere = await startFakeServer(() => {
      visits += 1;
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('[{"name":"Other"}]') });
    });
    const result = await run(faults(elsewhere.url));
    await elsewhere.close();
    expect(visits).toBe(0);
    return { ...result, elsewhere: elsewhere.url };
  };

  it.each<[string, (elsewhere: string) => string]>([
    ['another origin', (url) => `${url}/plants?limit=1000&cursor=x`],
    ['another origin without a scheme', (url) => `${url.replace('http:', '')}/plants?limit=1000`],
    ['a user name before the host', (url) => `${url.replace('//', '//127.0.0.1@')}/plants`],
    ['a backslash before a user name', (url) => `${url.replace('//', '//127.0.0.1\\@')}/plants`],
    ['a scheme that is not HTTP', () => 'file:///etc/passwd'],
    ['no valid URL', () => 'http://[::1/plants'],
  ])('gives up with one line, and sends nothing there, when a Link has %s', async (_, target) => {
    const { code, lines, requests } = await runBeside((elsewhere) => [
      { status: 200, body: [{ name: 'Fig' }], headers: { link: `<${target(elsewhere)}>; rel="next"` } },
    ]);
    expect([code, listed(lines.slice(0, 1)), requests.length]).toEqual([1, [{ name: 'Fig' }], 1]);
    expect(lines.slice(1)).toEqual([expect.stringMatching(/^The Link header /)]);
  });

  it.each<[number, string, (elsewhere: string) => string]>([
    [301, 'another origin', (url) => `${url}/plants`],
    [302, 'another origin', (url) => `${url}/plants?limit=1000`],
    [307, 'another origin', (url) => `${url}/plants`],
    [308, 'another origin without a scheme', (url) => `${url.replace('http:', '')}/plants`],
    [303, 'itself', () => '/plants'],
    [302, 'no valid URL', () => 'http://[::1/plants'],
  ])('does not follow a %s to %s, and prints no plants', async (status, _, location) => {
    const { code, lines } = await runBeside((elsewhere) =>
      Array.from({ length: 9 }, () => ({
        status,
        body: [{ name: 'Other' }],
        headers: { location: location(elsewhere) },
      })),
    );
    expect([code, lines]).toEqual([1, [expect.stringMatching(/^Gave up: /)]]);
  });
});

describe('the generated client', () => {
  /** Finds the generator first, and its Python, which has the packages that the client imports. */
  const generator = z.string().parse(process.env['OPENAPI_PYTHON_CLIENT_COMMAND']);
  const PATH = [dirname(generator), process.env['PATH']].join(delimiter);
  const folder = temporaryFolder();

  /** Runs a command beside the client. @returns its standard output */
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

  /** What generated_client.py prints. */
  const list = async (limit = '', settings: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const program = fileURLToPath(new URL('generated_client.py', import.meta.url));
    const client = { PYTHONPATH: 'plant-store-service-client', BASE_URL: service.baseUrl, TOKEN: token };
    return JSON.parse(await run(`python ${program} ${limit}`, { ...client, ...settings }));
  };
  const listAltered = (response: ResponseChange): Promise<unknown> =>
    withAltered(service.baseUrl, { response }, (baseUrl) => list('', { BASE_URL: baseUrl }));

  it('lists all plants with their names and tags', async () => {
    expect(await list()).toEqual({ pages: [plants] });
    expect(plants).toContainEqual({ name: 'Été', tag: 'été' });
    expect(plants).toContainEqual({ name: '竹' });
  });

  it('follows the links between three list pages', async () => {
    const pages = [0, 1000, 2000].map((start) => plants.slice(start, start + 1000));
    expect(await list('1000')).toEqual({ pages });
  });

  it('reports the failure of a request without a token', async () => {
    expect(await list('', { TOKEN: '' })).toEqual({ status: 401, message: 'Unauthorized' });
  });

  it.each<[string, CatalogueEntry]>([
    ['an error', catalogue.invalidLimit],
    ['an error value that a later release adds', { ...catalogue.invalidLimit, error: 1999 }],
    ['a 401 with an error value that a later release adds', { ...catalogue.noCaller, error: 1998 }],
  ])('reports %s, also with a further field', async (_, { statusCode: status, error, message }) => {
    const body = { error, message, limit: 5 };
    expect(await listAltered((good) => ({ ...good, status, body }))).toEqual({ status, error, message });
  });

  it('lists plants that have a field that a later release adds', async () => {
    const printed = await listAltered((good) => ({
      ...good,
      body: plantsIn(good).map((plant) => ({ ...plant, origin: 'Réunion' })),
    }));
    expect(printed).toMatchObject({ pages: [plants] });
  });
});
