import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { listen } from '../../local/listen.ts';
import { copyCheckout, newFolder, runnerEnvironment } from './workflow-runner.ts';
import { jobOf, readWorkflow, runSteps, type StepResult } from './workflow.ts';

const deploy = readWorkflow('deploy');
const folders: string[] = [];
const scratch = (folder = newFolder()): string => {
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const run = (
  job: string,
  folder: string,
  commit: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly StepResult[]> =>
  runSteps(deploy, jobOf(deploy, job), {
    folder,
    temporary: scratch(),
    environment: { ...runnerEnvironment, ...environment },
    expressions: {
      'inputs.commit || github.event.workflow_run.head_sha': commit,
      'github.token': 'token',
      'vars.AWS_ROLE_ARN': 'arn:aws:iam::111111111111:role/PlantStore-deploy',
      'vars.AWS_REGION': 'eu-central-1',
    },
  });

const git = (folder: string, ...parameters: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...parameters], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();

const printing = (pattern: RegExp): unknown => expect.stringMatching(pattern);

describe('the job “commit” of deploy.yml', () => {
  const folder = scratch();
  git(folder, 'init', '--quiet', '--initial-branch=main');
  const commit = (message: string): string => {
    git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
    return git(folder, 'rev-parse', 'HEAD');
  };
  const older = commit('Older');
  const tip = commit('Tip');
  git(folder, 'update-ref', 'refs/remotes/origin/main', tip);
  const unreviewed = commit('Not on main');

  const check = async (given: string, event: string): Promise<StepResult> => {
    const [result, ...others] = await run('commit', folder, given, { GITHUB_EVENT_NAME: event });
    if (result === undefined || others.length > 0) throw new Error('The job has not one command.');
    return result;
  };

  it.each(['workflow_run', 'workflow_dispatch'])('deploys the tip of main after %s', async (event) => {
    expect(await check(tip, event)).toMatchObject({ ok: true, outputs: 'deploy=true\n' });
  });

  it('deploys an older commit of main when a person asks for it', async () => {
    expect(await check(older, 'workflow_dispatch')).toMatchObject({ ok: true, outputs: 'deploy=true\n' });
  });

  it('does not deploy an older commit by itself, and says so, when its CI is run again', async () => {
    expect(await check(older, 'workflow_run')).toMatchObject({
      ok: true,
      output: printing(new RegExp(`^::notice::${older} is not deployed.*tip of main.*\n$`)),
      outputs: '',
    });
  });

  it.each([
    ['a branch', 'main'],
    ['an abbreviated commit', tip.slice(0, 12)],
    ['a commit that does not exist', 'c0ffee'.padEnd(40, '0')],
    ['a commit that is not on main', unreviewed],
    ['nothing', ''],
  ])('refuses %s', async (_, given) => {
    expect(await check(given, 'workflow_dispatch')).toMatchObject({
      ok: false,
      output: printing(/^::error::.*full SHA.*main\.$/m),
      outputs: '',
    });
  });
});

describe('the commands of deploy.yml', () => {
  /** The calls to AWS, which refuses each. */
  const calls: string[] = [];
  const aws = createServer((request, response) => {
    void text(request).then((body) => {
      calls.push(new URLSearchParams(body).get('Action') ?? `${request.method ?? ''} ${request.url ?? ''}`);
      response.writeHead(403, { 'content-type': 'text/xml' });
      response.end(
        '<ErrorResponse><Error><Code>AccessDenied</Code><Message>No.</Message></Error></ErrorResponse>',
      );
    });
  });
  afterAll(() => {
    aws.closeAllConnections();
    aws.close();
  });

  /** The checkout of a job that logs in. */
  const sparseCheckout = (source: string): string => {
    const folder = scratch();
    for (const { uses, with: settings } of jobOf(deploy, 'staging').steps) {
      if (uses?.startsWith('actions/checkout@') !== true) continue;
      for (const file of z.string().parse(settings['sparse-checkout']).trim().split('\n')) {
        copyFileSync(join(source, file), join(folder, file));
      }
    }
    return folder;
  };

  it('synthesize once, and deploy the result with the CDK CLI alone up to the first call to AWS', async () => {
    const source = scratch(copyCheckout());
    const commit = 'c0ffee'.padEnd(40, '0');
    expect((await run('synth', source, commit)).filter(({ ok }) => !ok)).toEqual([]);
    for (const stage of ['staging', 'prod']) {
      const template = readFileSync(join(source, `cdk.out/PlantStore-${stage}.template.json`), 'utf8');
      expect(template).toContain(`"DEPLOYED_COMMIT": "${commit}"`);
    }
    expect(calls).toEqual([]);

    const folder = sparseCheckout(source);
    renameSync(join(source, 'cdk.out'), join(folder, 'cdk.out'));
    const port = await listen(aws, 0, 'PORT');
    const deployed = await run('staging', folder, commit, {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${String(port)}`,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'token',
    });
    expect(
      deployed.map(({ ok }) => ok),
      deployed.at(-1)?.output,
    ).toEqual([true, true, true, false]);
    expect(calls[0]).toBe('GetCallerIdentity');
  }, 600_000);

  it('refuse a CDK CLI that is not the one of the lock file', async () => {
    const source = scratch();
    for (const file of ['cdk.json', 'package-lock.json']) {
      copyFileSync(new URL(`../../${file}`, import.meta.url), join(source, file));
    }
    const folder = sparseCheckout(source);
    const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
    const altered = lock.replace(/("node_modules\/aws-cdk": \{[^}]*?"integrity": ")[^"]+/, '$1sha512-other');
    expect(altered).not.toBe(lock);
    writeFileSync(join(folder, 'package-lock.json'), altered);
    const results = await run('staging', folder, 'c0ffee');
    expect(results.map(({ ok, output }) => [ok, output])).toEqual([
      [true, ''],
      [false, printing(/^::error::.*aws-cdk.*package-lock\.json/m)],
    ]);
  });
});
