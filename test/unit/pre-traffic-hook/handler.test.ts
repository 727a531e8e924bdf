import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { deadlines, handler } from '../../../functions/pre-traffic-hook/handler.ts';
import { operations } from '../../../infra/operations.ts';
import { type FakeServer, type HttpReply, startFakeServer } from '../../support/fake-server.ts';
import { unusedUrl } from '../../support/loopback-server.ts';
import { propertiesOf } from '../../support/template-resources.ts';
import { stageNamed, templateOf } from '../../support/synthesized.ts';
import { rsaKey } from '../../support/tokens.ts';

const hooks = z
  .array(
    z.object({
      Description: z.string(),
      Timeout: z.number(),
      Environment: z.object({ Variables: z.looseObject({ CHECKS: z.string() }) }),
    }),
  )
  .parse(
    propertiesOf(templateOf(stageNamed('prod')), 'AWS::Lambda::Function').filter(({ Description }) =>
      String(Description).startsWith('Checks'),
    ),
  );

/** A version of a function: resolves with its result, or rejects as a version that throws or times out. */
type Version = (event: string) => Promise<unknown>;
let tested: Version;
let statuses: unknown[];
let entries: unknown[];

const json = (body: unknown, headers = {}): HttpReply => ({
  status: 200,
  headers,
  body: Buffer.from(JSON.stringify(body)),
});

/** The APIs of Lambda and CodeDeploy. */
let aws: FakeServer;
/** An issuer with a key, a table without items, one that the role may not use, and nothing. */
let issuer: FakeServer;
let table: FakeServer;
let forbiddenTable: FakeServer;
const nothing = unusedUrl();
beforeAll(async () => {
  aws = await startFakeServer(async ({ path, headers, body }) => {
    if (headers['x-amz-target'] === 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus') {
      statuses.push(JSON.parse(body.toString()));
      return json({});
    }
    expect(path).toBe('/2015-03-31/functions/tested/invocations?Qualifier=7');
    return tested(body.toString()).then(json, (error: unknown) =>
      json({ errorType: String(error) }, { 'x-amz-function-error': 'Unhandled' }),
    );
  });
  issuer = await startFakeServer(() => Promise.resolve(json({ keys: [rsaKey('key').jwk] })));
  table = await startFakeServer(() => Promise.resolve(json({ Items: [] })));
  forbiddenTable = await startFakeServer(() =>
    Promise.resolve({ ...json({ __type: 'com.amazon.coral.service#AccessDeniedException' }), status: 400 }),
  );
});
afterAll(() => Promise.all([aws, issuer, table, forbiddenTable].map((server) => server.close())));

const credentials = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 's',
};
beforeEach(() => {
  statuses = [];
  entries = [];
  for (const level of ['info', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((entry) => entries.push(entry));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Runs the hook, and compares what it reports and logs: success, or the reasons of a refusal. */
const expectHook = async (checks: string | undefined, refused: object | undefined): Promise<void> => {
  const variables = { TESTED_FUNCTION: 'tested', TESTED_VERSION: '7', CHECKS: checks };
  const endpoints = { AWS_ENDPOINT_URL_LAMBDA: aws.url, AWS_ENDPOINT_URL_CODEDEPLOY: aws.url };
  for (const [name, value] of Object.entries({ ...credentials, ...endpoints, ...variables }))
    vi.stubEnv(name, value);
  await handler({ DeploymentId: 'd-EXAMPLE', LifecycleEventHookExecutionId: 'execution' });
  const status = refused === undefined ? 'Succeeded' : 'Failed';
  expect(statuses).toEqual([
    { deploymentId: 'd-EXAMPLE', lifecycleEventHookExecutionId: 'execution', status },
  ]);
  const event = refused === undefined ? 'version-passed' : 'version-refused';
  expect(entries).toMatchObject([{ event, ...refused }]);
  expect(JSON.stringify(entries)).not.toContain('Rose');
};

const program = `
  const [file, event] = process.argv.slice(1);
  const { handler, warmUp } = await import(file);
  await warmUp();
  const result = await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 10_000 });
  console.log('\\n' + JSON.stringify(result));
  process.exit();`;

/** The function's source as on Lambda, with other variables. */
const source = (folder: string, variables: () => Readonly<Record<string, string>> = () => ({})): Version => {
  const file = fileURLToPath(new URL(`../../../functions/${folder}/handler.ts`, import.meta.url));
  return async (event) => {
    const env = {
      ...{
        TOKEN_ALGORITHMS: 'RS256',
        JWKS_URI: issuer.url,
        TOKEN_PROFILE: 'rfc9068',
        AUDIENCE: 'plant-store',
      },
      ...{ TOKEN_ISSUER: 'https://login.example.com/', GROUPS_CLAIM: 'groups', TABLE_NAME: 'Plants' },
      ...{ AWS_ENDPOINT_URL_DYNAMODB: table.url, ...credentials, ...variables() },
    };
    const arguments_ = ['--input-type=module', '-e', program, file, event];
    const { stdout } = await promisify(execFile)(process.execPath, arguments_, { env });
    const result: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    return result;
  };
};

const list = source('list-plants');
const allowed = { isAuthorized: true };
const unreachable: Version = () => {
  throw new Error('It closes the connection.');
};
const expectChecked = async (id: string, version: Version, refused: object | undefined): Promise<void> => {
  tested = version;
  const hook = hooks.find(({ Description }) => Description.includes(` ${id} `));
  await expectHook(hook?.Environment.Variables.CHECKS, refused);
};

it.each([...operations, { id: 'Authorizer', folder: 'authorizer' }])(
  'the hook releases a good version of $id',
  ({ id, folder }) => expectChecked(id, source(folder), undefined),
);

it.each<[id: string, version: string, Version, refused: object]>([
  ...operations.map(({ id, folder }): [string, string, Version, object] => [
    id,
    'may not use its table',
    source(folder, () => ({ AWS_ENDPOINT_URL_DYNAMODB: forbiddenTable.url })),
    { actual: { statusCode: 400, error: 2000 } },
  ]),
  ['Authorizer', 'cannot reach its issuer', source('authorizer', () => ({ JWKS_URI: nothing })), {}],
  ['Authorizer', 'allows everybody', () => Promise.resolve(allowed), { actual: allowed }],
  ['ListPlants', 'times out', () => Promise.reject(new Error('Sandbox.Timedout')), {}],
  ['ListPlants', 'cannot be invoked', unreachable, { cause: 'ECONNRESET' }],
  [
    'ListPlants',
    'responds with plants of others',
    () => Promise.resolve({ statusCode: 200, body: '[{"name":"Rose"}]' }),
    { actual: { statusCode: 200 } },
  ],
  [
    'ListPlants',
    'serves requests without a caller',
    () => Promise.resolve({ statusCode: 200, body: '[]' }),
    { actual: { statusCode: 200 } },
  ],
  [
    'ListPlants',
    'refuses requests without a caller for another reason',
    async (event) => {
      const result = z
        .object({ body: z.string() })
        .loose()
        .parse(await list(event));
      return { ...result, body: result.body.replace('1004', '1001') };
    },
    { actual: { statusCode: 401, error: 1001 } },
  ],
])('the hook refuses a version of %s that %s', (id, _, version, refused) =>
  expectChecked(id, version, refused),
);

it.each([
  ['has a new id each time', { statusCode: 201, body: '{"id":"5"}' }],
  ['is empty', { statusCode: 201, body: '' }],
  ['is missing', { statusCode: 201 }],
])('the hook releases a version by its status alone when its body %s', async (_, result) => {
  tested = () => Promise.resolve(result);
  await expectHook('[{"event":{},"expected":{"statusCode":201}}]', undefined);
});

it('the hook refuses a version for its status alone, whatever its body', async () => {
  tested = () => Promise.resolve({ statusCode: 200, body: '{"name":"Rose"}' });
  await expectHook('[{"event":{},"expected":{"statusCode":201}}]', { actual: { statusCode: 200 } });
});

it('the hook refuses a version that is slower than the deadline', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
  await expectChecked('ListPlants', list, { cause: 'AbortError' });
});

it.each([
  undefined,
  '',
  'none',
  'null',
  '{}',
  '[]',
  '[null]',
  '[[]]',
  '[{}]',
  '[{"event":{}}]',
  '[{"event":{},"expected":{}}]',
  '[{"event":{},"expected":[200]}]',
  '[{"expected":{"statusCode":200}}]',
  '[{"event":{},"expected":{"statusCode":200}},{}]',
])('the hook refuses a good version if its CHECKS are %s', async (checks) => {
  tested = () => Promise.resolve({ statusCode: 200 });
  await expectHook(checks, {});
});

it('the timeout of each hook exceeds the sum of its deadlines', () => {
  expect(hooks).toHaveLength(1 + operations.length);
  for (const { Timeout } of hooks)
    expect(Timeout * 1000).toBeGreaterThan(deadlines.checks + deadlines.report);
});
