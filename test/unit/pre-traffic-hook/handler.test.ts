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
import { rsaKey } from '../../support/signing-keys.ts';

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

/** A version of a function. It resolves with its result, or rejects if it throws or times out. */
type Version = (event: string) => Promise<unknown>;
/** The version that the hook invokes. */
let tested: Version;
/** What the hook reports to CodeDeploy. */
let reports: unknown[];
let logEntries: unknown[];

const json = (body: unknown, headers = {}): HttpReply => ({
  status: 200,
  headers,
  body: Buffer.from(JSON.stringify(body)),
});

/** The APIs of Lambda and CodeDeploy. */
let aws: FakeServer;
/** An issuer with a key. */
let issuer: FakeServer;
/** A table without items. */
let table: FakeServer;
/** A table that the function's role may not use. */
let forbiddenTable: FakeServer;
const unusedAddress = unusedUrl();
beforeAll(async () => {
  aws = await startFakeServer(async ({ path, headers, body }) => {
    if (headers['x-amz-target'] === 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus') {
      reports.push(JSON.parse(body.toString()));
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
  reports = [];
  logEntries = [];
  for (const level of ['info', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((entry) => logEntries.push(entry));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Runs the hook with these checks, and returns its report and its log. */
const runHook = async (checks: string | undefined): Promise<object> => {
  const variables = { TESTED_FUNCTION: 'tested', TESTED_VERSION: '7', CHECKS: checks };
  const endpoints = { AWS_ENDPOINT_URL_LAMBDA: aws.url, AWS_ENDPOINT_URL_CODEDEPLOY: aws.url };
  for (const [name, value] of Object.entries({ ...credentials, ...endpoints, ...variables }))
    vi.stubEnv(name, value);
  await handler({ DeploymentId: 'd-EXAMPLE', LifecycleEventHookExecutionId: 'execution' });
  expect(JSON.stringify(logEntries)).not.toContain('Rose');
  return { reports, logEntries };
};

const reportOf = (status: string): object => ({
  deploymentId: 'd-EXAMPLE',
  lifecycleEventHookExecutionId: 'execution',
  status,
});
const released = { reports: [reportOf('Succeeded')], logEntries: [{ event: 'version-passed' }] };
const refusedFor = (reason: object): object => ({
  reports: [reportOf('Failed')],
  logEntries: [{ event: 'version-refused', ...reason }],
});

const program = `
  const [file, event] = process.argv.slice(1);
  const { handler, warmUp } = await import(file);
  await warmUp();
  const result = await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 10_000 });
  console.log('\\n' + JSON.stringify(result));
  process.exit();`;

/** A version that runs the function's source in a process, with these environment variables. */
const versionFromSource = (
  folder: string,
  variables: () => Readonly<Record<string, string>> = () => ({}),
): Version => {
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

/** Runs the hook of a function for a version, with the checks of the stage prod. */
const runHookOf = (id: string, version: Version): Promise<object> => {
  tested = version;
  const hook = hooks.find(({ Description }) => Description.includes(` ${id} `));
  return runHook(hook?.Environment.Variables.CHECKS);
};

it.each([...operations, { id: 'Authorizer', folder: 'authorizer' }])(
  'the hook releases a good version of $id',
  async ({ id, folder }) => {
    expect(await runHookOf(id, versionFromSource(folder))).toMatchObject(released);
  },
);

it.each(operations)(
  'the hook refuses a version of $id that may not use its table',
  async ({ id, folder }) => {
    const version = versionFromSource(folder, () => ({ AWS_ENDPOINT_URL_DYNAMODB: forbiddenTable.url }));
    const expected = refusedFor({ actual: { statusCode: 400, error: 2000 } });
    expect(await runHookOf(id, version)).toMatchObject(expected);
  },
);

it('the hook refuses a version of Authorizer that cannot reach its issuer', async () => {
  const version = versionFromSource('authorizer', () => ({ JWKS_URI: unusedAddress }));
  const errorType: unknown = expect.stringContaining('JwksUnavailable');
  const expected = refusedFor({ actual: { errorType } });
  expect(await runHookOf('Authorizer', version)).toMatchObject(expected);
});

it('the hook refuses a version of Authorizer that allows everybody', async () => {
  const version = () => Promise.resolve({ isAuthorized: true });
  const expected = refusedFor({ actual: { isAuthorized: true } });
  expect(await runHookOf('Authorizer', version)).toMatchObject(expected);
});

it('the hook refuses a version of ListPlants that times out', async () => {
  const version = () => Promise.reject(new Error('Sandbox.Timedout'));
  const expected = refusedFor({ actual: { errorType: 'Error: Sandbox.Timedout' } });
  expect(await runHookOf('ListPlants', version)).toMatchObject(expected);
});

it('the hook refuses a version of ListPlants that cannot be invoked', async () => {
  const closesConnection = () => {
    throw new Error('The server closes the connection.');
  };
  const expected = refusedFor({ cause: 'ECONNRESET' });
  expect(await runHookOf('ListPlants', closesConnection)).toMatchObject(expected);
});

it('the hook refuses a version of ListPlants that lists plants of others', async () => {
  const version = () => Promise.resolve({ statusCode: 200, body: '[{"name":"Rose"}]' });
  const expected = refusedFor({ actual: { statusCode: 200 } });
  expect(await runHookOf('ListPlants', version)).toMatchObject(expected);
});

it('the hook refuses a version of ListPlants that serves requests without a caller', async () => {
  const version = () => Promise.resolve({ statusCode: 200, body: '[]' });
  const expected = refusedFor({ expected: { statusCode: 401, error: 1004 }, actual: { statusCode: 200 } });
  expect(await runHookOf('ListPlants', version)).toMatchObject(expected);
});

it('the hook refuses a version of ListPlants that has another error for a missing caller', async () => {
  const version: Version = (event) =>
    Promise.resolve(
      event.includes('"authorizer"')
        ? { statusCode: 200, body: '[]' }
        : { statusCode: 401, body: '{"error":1001}' },
    );
  const expected = refusedFor({ actual: { statusCode: 401, error: 1001 } });
  expect(await runHookOf('ListPlants', version)).toMatchObject(expected);
});

it.each([
  ['has a new id each time', { statusCode: 201, body: '{"id":"5"}' }],
  ['is empty', { statusCode: 201, body: '' }],
  ['is missing', { statusCode: 201 }],
])('the hook releases a version by its status alone when its body %s', async (_, result) => {
  tested = () => Promise.resolve(result);
  expect(await runHook('[{"event":{},"expected":{"statusCode":201}}]')).toMatchObject(released);
});

it.each([
  ['has a new id each time', { statusCode: 200, body: '{"id":"5"}' }],
  ['is empty', { statusCode: 200, body: '' }],
  ['is missing', { statusCode: 200 }],
])('the hook refuses a version by its status alone when its body %s', async (_, result) => {
  tested = () => Promise.resolve(result);
  const expected = refusedFor({ actual: { statusCode: 200 } });
  expect(await runHook('[{"event":{},"expected":{"statusCode":201}}]')).toMatchObject(expected);
});

it('the hook refuses a version that is slower than the deadline', async () => {
  // The first deadline, which is that of the checks, has already passed.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
  const run = runHookOf('ListPlants', versionFromSource('list-plants'));
  expect(await run).toMatchObject(refusedFor({ cause: 'AbortError' }));
});

it.each([
  [undefined, 'Error'],
  ['', 'Error'],
  ['none', 'SyntaxError'],
])('the hook refuses a good version if its CHECKS are %j, and logs %s', async (checks, cause) => {
  tested = () => Promise.resolve({ statusCode: 200 });
  expect(await runHook(checks)).toMatchObject(refusedFor({ cause }));
});

it.each([
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
])('the hook refuses a good version if its CHECKS are %s, and logs InvalidChecks', async (checks) => {
  tested = () => Promise.resolve({ statusCode: 200 });
  expect(await runHook(checks)).toMatchObject(refusedFor({ cause: 'InvalidChecks' }));
});

it('the timeout of every hook exceeds the sum of its deadlines', () => {
  expect(hooks).toHaveLength(1 + operations.length);
  for (const { Timeout } of hooks)
    expect(Timeout * 1000).toBeGreaterThan(deadlines.checks + deadlines.report);
});
