// The suite `sam` proves: the synthesized template runs under `sam local` in containers, and refuses callers
// where SAM finds no authorizer. It cannot show what AWS does where SAM differs.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listen } from '../../local/listen.ts';
import { samplePlants } from '../../local/store/sample-plants.ts';
import { type ServiceResponse, send } from '../contract/client.ts';
import { describeContract } from '../contract/contract.ts';
import type { Differences } from '../contract/differences.ts';
import { item, newCaller, newName, plantsIn } from '../contract/plants.ts';
import type { GatewayResponses, Target } from '../contract/target.ts';
import { readDocument } from '../support/markdown.ts';
import { copyProject, npm, runCommand, signalGroup, startService } from '../support/service/local-service.ts';
import { targetOf } from '../support/service/npm-start.ts';

const project = copyProject();
const { CONTAINER_ENGINE_DOCKER_HOST: dockerHost, SAM_BIN: samBin = '' } = process.env;
const environment = {
  ...(dockerHost !== undefined && { DOCKER_HOST: dockerHost }),
  PATH: `${samBin}${delimiter}${process.env['PATH'] ?? ''}`,
  SAM_CLI_TELEMETRY: '0',
  // It locks an image that it builds with a file there, for which the next run would wait after an
  // interrupted one.
  TMPDIR: project.folder,
  __SAM_CLI_APP_DIR: join(project.folder, '.aws-sam'),
};
/** SAM's last line before it listens. */
const ready = 'CTRL+C to quit';

const samResponses: GatewayResponses = {
  forbidden: [403, { message: 'User is not authorized to access this resource' }],
  notFound: [403, { message: 'Missing Authentication Token' }],
};

const differences: Differences = {
  ...Object.fromEntries(
    [
      'responds to Accept-Encoding: br with br',
      'responds to Accept-Encoding: gzip with gzip',
      'responds to Accept-Encoding: br;q=0.5, gzip with gzip',
      'responds to Accept-Encoding: br;q=0, gzip;q=0.1 with gzip',
      'lists the same plants when compressed',
    ].map((name) => [
      name,
      'SAM capitalizes header names. HTTP APIs use lower case, and the function reads only that.',
    ]),
  ),
};

const freePort = async (): Promise<string> => {
  const server = createServer();
  const port = await listen(server, 0, 'PORT');
  server.close();
  return String(port);
};

const startedAt = new Date().toISOString().replaceAll(':', '-');

/** Each run has its own, so the next run does not replace that of a failed one. */
const log = fileURLToPath(new URL(`../../test-results/suites/sam-${startedAt}.log`, import.meta.url));

/** What SAM prints about the gateway under test. */
let printed = (): string => '';

/** The address that the documented command passes to `npm start`. */
const bridgeAddress = async (): Promise<string> => {
  const [, command = ''] =
    /^ADDRESS=\$\((.*)\) npm start$/m.exec(readDocument('docs/local-service.md')) ?? [];
  const { stdout } = await promisify(execFile)('bash', ['-c', command]);
  return stdout.trim();
};

/** The service as a developer runs it with SAM. */
const start = async (): Promise<Target> => {
  // The suites posture and processes check CDK's default rules, which take half of a synthesis.
  await npm(project.folder, ['run', 'synth'], { CDK_VALIDATION: 'false' }).ended;
  const service = await startService(project, { ADDRESS: await bridgeAddress() });
  const port = await freePort();
  const gateway = runCommand('sam', project.folder, ['local', 'start-api', '--port', port], environment);
  await gateway.printed(ready);
  printed = gateway.output;
  const target = targetOf(service, samResponses, project.remove);
  return {
    ...target,
    baseUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      signalGroup(gateway, 'SIGTERM');
      await gateway.ended;
      // Beside the logs of the systems.
      writeFileSync(log, printed());
      await target.stop();
    },
  };
};

/** The result that `sam local invoke` prints. */
const invoke = async (constructId: string, event: string): Promise<unknown> => {
  const parameters = ['local', 'invoke', constructId, '--event', `local/sam-events/${event}.json`];
  const options = { cwd: project.folder, env: { ...process.env, ...environment } };
  const { stdout } = await promisify(execFile)('sam', parameters, options);
  return JSON.parse(stdout);
};

const listResult = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string().transform((text): unknown => JSON.parse(text)),
});

const invokeListPlants = async (event: string): Promise<z.infer<typeof listResult>> =>
  listResult.parse(await invoke('ListPlants', event));

/** Starts another gateway of SAM with these parameters, and sends it a request. */
const askGateway = async (
  parameters: readonly string[],
  headers: Readonly<Record<string, string>>,
): Promise<Readonly<{ status: number; body: unknown; output: string }>> => {
  const port = await freePort();
  const command = ['local', 'start-api', '--port', port, ...parameters];
  const gateway = runCommand('sam', project.folder, command, environment);
  try {
    await gateway.printed(ready);
    const response = await fetch(`http://127.0.0.1:${port}/plants`, { headers });
    return { status: response.status, body: await response.json(), output: gateway.output() };
  } finally {
    signalGroup(gateway, 'SIGTERM');
    await gateway.ended;
  }
};

/** Writes a copy of SAM's variables with other values for some variables, and returns its name. */
const settingsWith = (changes: Readonly<Record<string, string>>): string => {
  const settings = z
    .object({ Parameters: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(project.folder, '.local/container-variables.json'), 'utf8')));
  const copy = `${newName('env')}.json`;
  writeFileSync(
    join(project.folder, copy),
    JSON.stringify({ Parameters: { ...settings.Parameters, ...changes } }),
  );
  return copy;
};

/** Writes a copy of the template with an authorizer of another stack, and returns its name. */
const importAuthorizer = (): string => {
  const template = readFileSync(join(project.folder, 'cdk.out/PlantStore-local.template.json'), 'utf8');
  const copy = 'cdk.out/imported-authorizer.template.json';
  const imported = JSON.stringify(JSON.parse(template), (name, value: unknown) =>
    name === 'AuthorizerUri' ? { 'Fn::ImportValue': 'AuthorizerOfAnotherStack' } : value,
  );
  writeFileSync(join(project.folder, copy), imported);
  return copy;
};

describeContract(
  'sam local start-api beside npm start',
  start,
  (target) => {
    describe('sam local invoke', () => {
      it('lists the plants of the caller in an event', async () => {
        const { statusCode, body } = await invokeListPlants('list-plants');
        expect(statusCode).toBe(200);
        expect(body).toHaveLength(samplePlants.filter(({ principal }) => principal !== 'user#bob').length);
      });

      it('lists as many plants as the event’s limit, with a link to the rest', async () => {
        const { statusCode, headers, body } = await invokeListPlants('list-plants-with-limit');
        expect([statusCode, body]).toEqual([
          200,
          [
            { name: 'Aloe vera', tag: 'succulent' },
            { name: 'Apple tree', tag: 'tree' },
          ],
        ]);
        expect(headers['Link']).toMatch(/^<\?limit=2&cursor=/);
      });

      it('lists no plants for an event without a caller', async () => {
        expect(await invokeListPlants('list-plants-without-caller')).toMatchObject({
          statusCode: 401,
          body: { error: 1004 },
        });
      });

      it('runs the authorizer, which denies a token', async () => {
        expect(await invoke('Authorizer', 'authorizer-denied')).toEqual({ isAuthorized: false });
      });
    });

    it('refuses callers where SAM finds no authorizer and lets everybody through', async () => {
      const { status, body, output } = await askGateway(
        // SAM looks for its configuration beside the template.
        ['--template', importAuthorizer(), '--config-file', join(project.folder, 'samconfig.toml')],
        { authorization: 'Bearer denied' },
      );
      expect(output).toContain('was not found, skipping');
      expect({ status, body }).toMatchObject({ status: 401, body: { error: 1004 } });
    });

    // If SAM changes to behave like AWS, update docs/local-service.md.
    describe('differs from AWS as described', () => {
      const authorized = (): { authorization: string } => ({
        authorization: `Bearer ${target().issuer.token()}`,
      });

      it('header names have capitals, so the function does not compress', async () => {
        const caller = newCaller(target());
        await target().put(
          Array.from({ length: 20 }, (_, id) => item(caller.principal, 'x'.repeat(500), String(id))),
        );
        const response = await caller.get('/plants', { 'accept-encoding': 'br, gzip' });
        expect(response.headers).not.toHaveProperty('content-encoding');
        expect(plantsIn(response)).toHaveLength(20);
      });

      it('the authorizer’s result is not cached', async () => {
        const headers = authorized();
        const invocations = (): number => printed().split('Invoking warm.handler').length;
        const before = invocations();
        const ask = (): Promise<ServiceResponse> => send(target().baseUrl, '/plants', headers);
        expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
        // The authorizer and the function, for each request.
        await expect.poll(invocations, { timeout: 10_000 }).toBe(before + 4);
      });

      it.each([
        ['the authorizer does not start', { TOKEN_PROFILE: 'unknown' }, 502],
        ['the authorizer throws', { JWKS_URI: 'http://127.0.0.1:1/' }, 502],
        ['the function does not start', { TABLE_NAME: '' }, 500],
      ])('%s', async (_what, changes, status) => {
        expect(await askGateway(['--env-vars', settingsWith(changes)], authorized())).toMatchObject({
          status,
          body: { message: 'Internal server error' },
        });
      });
    });
  },
  differences,
);
