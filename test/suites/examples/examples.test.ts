// The suite `examples` proves: the clients in TypeScript and Python list all plants, wait, and renew their
// token as `openapi.yaml` describes. It cannot show the network between a caller and AWS.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../../functions/list-plants/errors.ts';
import type { CatalogueEntry } from '../../../functions/shared/errors.ts';
import { type ServiceResponse, send } from '../../contract/client.ts';
import { type Plant, plantsIn } from '../../contract/plants.ts';
import { startFakeServer } from '../../support/fake-server.ts';
import { type ServiceRequest, withAltered } from '../altered-service.ts';
import {
  copyProject,
  type LocalService,
  npm,
  type ProjectCopy,
  runCommand,
  startService,
} from '../../support/service/local-service.ts';

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
  const load = `seq -f '{"name":"Plant %g"}' 2001 |
    npm run -s plants -- import - --format ndjson --to user:alice`;
  await runCommand('bash', project.folder, ['-c', load], {}).ended;
  const { output } = await runCommand('bash', project.folder, ['-c', tokenCommand], {}).ended;
  plants = plantsIn(await send(service.baseUrl, '/plants', { authorization: `Bearer ${output.trim()}` }));
});

type Fault = Pick<ServiceResponse, 'status' | 'body'> & { readonly headers?: ServiceResponse['headers'] };

const failure = ({ statusCode: status, ...body }: CatalogueEntry): Fault => ({ status, body });
const gatewayFailure = (status: number, message: string): Fault => ({ status, body: { message } });
const forbidden = gatewayFailure(403, 'Forbidden');

it('the TypeScript client compiles with types generated from openapi.yaml', async () => {
  const { code, output } = await npm(example('typescript'), ['run', '-s', 'check']).ended;
  expect(code, output).toBe(0);
});

describe.each(clients)('the $language client', ({ program, file }) => {
  /** Runs the client against a service that gives these responses first, and good ones afterwards. */
  const run = async (
    faults: readonly Fault[],
    variables: Readonly<Record<string, string>> = {},
    [command, ...parameters]: readonly [string, ...string[]] = [program, file],
  ) => {
    const requests: ServiceRequest[] = [];
    const times: number[] = [];
    const alter = (good: ServiceResponse, request: ServiceRequest): ServiceResponse => {
      const fault = faults[requests.length];
      requests.push(request);
      times.push(performance.now());
      return { ...good, headers: {}, ...(fault ?? { headers: good.headers }) };
    };
    return withAltered(service.baseUrl, { response: alter }, async (baseUrl) => {
      const environment = { BASE_URL: baseUrl, TOKEN_COMMAND: tokenCommand, ...variables };
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

  it.each([
    ['denied', forbidden],
    ['expired', failure(catalogue.noCaller)],
  ])('gets a new token when its own is %s', async (_, fault) => {
    const { code, lines, requests } = await run([fault]);
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

  it('gives up, and sends nothing there, when a Link leads to another origin', async () => {
    let visits = 0;
    const elsewhere = await startFakeServer(() => {
      visits += 1;
      return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('[]') });
    });
    const link = `<${elsewhere.url}/plants?limit=1000&cursor=x>; rel="next"`;
    const { code, lines } = await run([{ status: 200, body: [{ name: 'Fig' }], headers: { link } }]);
    await elsewhere.close();
    expect([code, listed(lines.slice(0, 1))]).toEqual([1, [{ name: 'Fig' }]]);
    expect(lines.slice(1)).toEqual([expect.stringContaining(elsewhere.url)]);
    expect(visits).toBe(0);
  });
});
