import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newFolder, runnerEnvironment } from './workflow-runner.ts';
import { jobOf, readWorkflow, runSteps, type StepResult } from './workflow.ts';

const deploy = readWorkflow('deploy');
const commit = 'c0ffee'.padEnd(40, '0');
const tip = 'beef'.padEnd(40, '0');

let folder = '';
beforeEach(() => {
  folder = newFolder();
  writeFileSync(join(folder, 'gh'), `#!/usr/bin/env bash\necho "$*" >"$0.call"\necho ${tip}\n`);
  chmodSync(join(folder, 'gh'), 0o755);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Runs the step of a job that logs in whose commands contain a text. */
const runStep = async (
  text: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<StepResult> => {
  const job = jobOf(deploy, 'prod');
  const [result, ...others] = await runSteps(
    deploy,
    { ...job, steps: job.steps.filter(({ run }) => run?.includes(text)) },
    {
      folder,
      temporary: folder,
      environment: {
        ...runnerEnvironment,
        PATH: `${folder}${delimiter}${runnerEnvironment.PATH}`,
        GITHUB_REPOSITORY: 'team/plant-store',
        ...environment,
      },
      expressions: {
        'inputs.commit || github.event.workflow_run.head_sha': environment['COMMIT'] ?? commit,
        'github.token': 'token',
        'vars.AWS_ROLE_ARN': 'arn:aws:iam::111111111111:role/PlantStore-deploy',
        'vars.AWS_REGION': 'eu-central-1',
      },
    },
  );
  if (result === undefined || others.length > 0) throw new Error(`Not one step has ${text}.`);
  return result;
};

const printing = (pattern: RegExp): unknown => expect.stringMatching(pattern);

describe('a job of deploy.yml before it logs in, when main has moved on', () => {
  const check = (event: string, attempt: string, given = commit): Promise<StepResult> =>
    runStep('RUN_ATTEMPT', { GITHUB_EVENT_NAME: event, GITHUB_RUN_ATTEMPT: attempt, COMMIT: given });

  it('refuses the commit of an old run whose failed jobs are run again', async () => {
    expect(await check('workflow_run', '2')).toMatchObject({
      ok: false,
      output: printing(new RegExp(`^::error::${commit} .*tip of main.*manually\\.\n$`)),
    });
    expect(readFileSync(join(folder, 'gh.call'), 'utf8')).toBe(
      'api repos/team/plant-store/git/ref/heads/main --jq .object.sha\n',
    );
  });

  it.each([
    ['the tip again', 'workflow_run', '2', tip],
    ['what a reviewer approved', 'workflow_run', '1', commit],
    ['again what a person asked for', 'workflow_dispatch', '2', commit],
  ])('deploys %s', async (_, event, attempt, given) => {
    expect(await check(event, attempt, given)).toMatchObject({ ok: true, output: '' });
  });
});

describe('a job of deploy.yml with a login to 111111111111 in eu-central-1', () => {
  const check = (environment: string): Promise<StepResult> => {
    mkdirSync(join(folder, 'cdk.out'));
    const manifest = { artifacts: { 'PlantStore-prod': { environment } } };
    writeFileSync(join(folder, 'cdk.out/manifest.json'), JSON.stringify(manifest));
    return runStep('manifest.json');
  };

  it.each([
    '222222222222/eu-central-1',
    '222222222222/unknown-region',
    '111111111111/eu-west-1',
    'unknown-account/eu-west-1',
  ])('refuses a stage for %s in one sentence before it logs in', async (wanted) => {
    expect(await check(`aws://${wanted}`)).toMatchObject({
      ok: false,
      output: printing(
        new RegExp(`^::error::PlantStore-prod .* ${wanted} .* prod .* 111111111111/eu-central-1\\.\n$`),
      ),
    });
  });

  it.each([
    '111111111111/eu-central-1',
    '111111111111/unknown-region',
    'unknown-account/eu-central-1',
    'unknown-account/unknown-region',
  ])('takes a stage for %s', async (wanted) => {
    expect(await check(`aws://${wanted}`)).toMatchObject({ ok: true, output: '' });
  });

  it('checks both before the step that logs in', () => {
    const steps = jobOf(deploy, 'prod').steps.map(({ uses, run }) => uses ?? run ?? '');
    const place = (text: string): number => steps.findIndex((step) => step.includes(text));
    const login = place('aws-actions/configure-aws-credentials@');
    for (const text of ['RUN_ATTEMPT', 'manifest.json']) expect(place(text)).toBeLessThan(login);
  });
});
