// The suite `sam` proves: the synthesized template meets the contract under `sam local` in containers, and
// its functions refuse requests without a caller. It cannot show what AWS does if SAM differs from it.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { samplePlants } from '../../local/store/sample-plants.ts';
import { describeContract } from '../contract/contract.ts';
import type { Gateway, Target } from '../contract/target.ts';
import { unusedPort } from '../support/loopback-server.ts';
import { readProjectFile } from '../support/project-files.ts';
import { runCommand, signalGroup } from '../support/service/command.ts';
import { copyProject } from '../support/service/project-copy.ts';
import { startService } from '../support/service/running-service.ts';
import { targetOf } from './npm-start-target.ts';

const project = copyProject();
const { CONTAINER_ENGINE_DOCKER_HOST: dockerHost, SAM_BIN: samBin = '' } = process.env;
const environment = {
  ...(dockerHost !== undefined && { DOCKER_HOST: dockerHost }),
  PATH: `${samBin}${delimiter}${process.env['PATH'] ?? ''}`,
  SAM_CLI_TELEMETRY: '0',
  // SAM locks image builds with a file in TMPDIR. In a shared folder, the lock of an interrupted run would
  // block the next run.
  TMPDIR: project.folder,
  __SAM_CLI_APP_DIR: join(project.folder, '.aws-sam'),
};
const plantsOfAliceAndGardeners = samplePlants.filter(({ principal }) => principal !== 'user#bob');

const samGateway: Gateway = {
  forbidden: [403, { message: 'User is not authorized to access this resource' }],
  notFound: [403, { message: 'Missing Authentication Token' }],
  passesLowerCaseHeaders: false,
  passesBytes: true,
};

const startedAt = new Date().toISOString().replaceAll(':', '-');

/** The log of `sam local`. Its name contains the time, so that no run overwrites the log of a failed one. */
const logFile = fileURLToPath(new URL(`../../test-results/suites/sam-${startedAt}.log`, import.meta.url));

/** The value of ADDRESS in the command of docs/local-service.md. */
const bridgeAddress = async (): Promise<string> => {
  const [, command = ''] =
    /^ADDRESS=\$\((.*)\) npm start$/m.exec(readProjectFile('docs/local-service.md')) ?? [];
  const { stdout } = await promisify(execFile)('bash', ['-c', command]);
  return stdout.trim();
};

/** Starts `npm start` and `sam local start-api`, as docs/local-service.md describes. */
const start = async (): Promise<Target> => {
  // CDK's default rules take half of a synthesis. The suite `processes` checks them.
  await runCommand('npm', project.folder, ['run', 'synth'], { CDK_VALIDATION: 'false' }).ended;
  const service = await startService(project, { ADDRESS: await bridgeAddress() });
  const port = String(unusedPort());
  const command = ['local', 'start-api', '--port', port];
  const gateway = runCommand('sam', project.folder, command, environment);
  await gateway.printed('CTRL+C to quit');
  const target = targetOf(service, samGateway, project.remove);
  return {
    ...target,
    baseUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      signalGroup(gateway, 'SIGTERM');
      writeFileSync(logFile, (await gateway.ended).output);
      await target.stop();
    },
  };
};

/** The result of a function. Only a response of the list function has a body. */
const resultSchema = z.looseObject({
  body: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .optional(),
});

/** The result that `sam local invoke` prints. */
const invoke = async (constructId: string, event: string): Promise<unknown> => {
  const parameters = ['local', 'invoke', constructId, '--event', `local/sam-events/${event}.json`];
  const options = { cwd: project.folder, env: { ...process.env, ...environment } };
  const { stdout } = await promisify(execFile)('sam', parameters, options);
  return resultSchema.parse(JSON.parse(stdout));
};

describeContract('sam local start-api beside npm start', start, () => {
  it('sam local invoke runs the authorizer, which denies the token of its event', async () => {
    expect(await invoke('Authorizer', 'authorizer-denied')).toEqual({ isAuthorized: false });
  });

  it.each<[event: string, statusCode: number, body: unknown]>([
    ['list-plants', 200, Array(plantsOfAliceAndGardeners.length).fill(expect.anything())],
    ['list-plants-without-caller', 401, { error: 1004 }],
  ])('sam local invoke responds to the event %s with %i', async (event, statusCode, body) => {
    expect(await invoke('ListPlants', event)).toMatchObject({ statusCode, body });
  });
});
