import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { listen } from '../../../local/listen.ts';
import { runTool } from '../tool.ts';
import { checkout, copyCheckout, newFolder, runnerEnvironment } from './workflow-runner.ts';
import { jobOf, readWorkflow, runSteps, type StepResult } from './workflow.ts';

const folders: string[] = [];
const scratch = (folder = newFolder()): string => {
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const printing = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** A folder of commands in front of the path, that stand in for those of GitHub and AWS. */
const pathWith = (commands: Readonly<Record<string, string>>): string => {
  const bin = scratch();
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(bin, name), `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return `${bin}${delimiter}${runnerEnvironment.PATH}`;
};

const runJob = (
  [workflow, job]: readonly [workflow: string, job: string],
  folder: string,
  expressions: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): Promise<readonly StepResult[]> =>
  runSteps(jobOf(readWorkflow(workflow), job), {
    folder,
    temporary: scratch(),
    environment: { ...runnerEnvironment, ...environment },
    expressions: { 'github.token': 'token', ...expressions },
  });

describe('a commit to deploy', () => {
  const folder = scratch();
  cpSync(new URL('../../../.github', import.meta.url), join(folder, '.github'), { recursive: true });
  const git = (...parameters: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...parameters], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  const commit = (message: string): string => {
    git('commit', '--quiet', '--allow-empty', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  const older = commit('Older');
  const tip = commit('Tip');
  git('update-ref', 'refs/remotes/origin/main', tip);
  const unreviewed = commit('Not on main');
  /** Names that Git would take for others, each for a commit that was never on main. */
  const misleading = [
    ...['origin/main', 'refs/remotes/origin/main', 'main', 'HEAD', tip, older].map(
      (name) => `refs/tags/${name}`,
    ),
    ...['origin/main', 'refs/remotes/origin/main', 'HEAD', tip, older].map((name) => `refs/heads/${name}`),
    'refs/remotes/origin/origin/main',
    'refs/origin/main',
  ];
  for (const name of misleading) git('update-ref', name, unreviewed);

  const check = async (given: string, passed: string): Promise<StepResult | undefined> => {
    const [result] = await runJob(
      ['deploy', 'synth'],
      folder,
      { 'inputs.commit || github.event.workflow_run.head_sha': given },
      { PATH: pathWith({ gh: `echo ${passed}` }) },
    );
    return result;
  };

  it.each([tip, older])('is checked out when it is on main and has passed CI: %s', async (given) => {
    expect(await check(given, '1')).toMatchObject({ ok: true });
    expect(git('rev-parse', 'HEAD')).toBe(given);
  });

  it.each([
    ['a branch', 'main'],
    ['an abbreviated commit', tip.slice(0, 12)],
    ['a commit that does not exist', 'c0ffee'.padEnd(40, '0')],
    ['a commit that is not on main', unreviewed],
    ['a branch of the remote', 'origin/main'],
    ['a tag', 'refs/tags/main'],
    ['a commit’s parent', `${tip}~`],
    ['an option', '--all'],
    ['a commit in upper case', tip.toUpperCase()],
    ['a commit and another line', `${tip}\n${unreviewed}`],
    ['nothing', ''],
  ])('is refused when it is %s', async (_, given) => {
    expect(await check(given, '1')).toMatchObject({
      ok: false,
      output: printing(/^::error::.*full SHA.*main\.$/m),
    });
  });

  it('is refused when it has not passed CI', async () => {
    expect(await check(tip, '0')).toMatchObject({
      ok: false,
      output: printing(/^::error::.*not passed CI.*\.$/m),
    });
  });
});

describe('stop-release.sh', () => {
  /**
   * The AWS CLI. Each line of `ticks` is the state after one more `sleep`: that of the stack, then the deployments that run,
   * each named `d-GROUP-NUMBER`, and `-rollback` or `-done` for one that completes before it can be stopped.
   */
  const aws = `echo "$*" >>"$STATE/calls"
read -r status deployments < <(head -n 1 "$STATE/ticks")
case "$1 $2" in
  'cloudformation describe-stacks') echo "$status" ;;
  'cloudformation describe-stack-resources') [[ "$*" == *Application* ]] && echo releases || printf 'list\\tauthorizer\\n' ;;
  'cloudformation get-template') cat "$STATE/template" ;;
  'deploy get-deployment-group') paste -s "$STATE/$6" ;;
  'deploy update-deployment-group') printf '%s\\n' "$8" "\${10}" >"$STATE/$6" ;;
  'deploy list-deployments') for each in $deployments; do [[ $each != d-$6-* ]] || echo "$each"; done ;;
  'deploy get-deployment') [[ $4 == *-rollback ]] && echo 'codeDeployRollback d-list-1' || echo 'user None' ;;
  'deploy stop-deployment') [[ $4 != *-done ]] || { echo 'An error occurred (DeploymentAlreadyCompletedException)' >&2; exit 254; } ;;
esac`;
  const sleep = `[ "$(wc -l <"$STATE/ticks")" = 1 ] || sed -i 1d "$STATE/ticks"
[[ $(<"$STATE/ticks") != CANCELLED* ]] || kill -INT "$PPID"`;
  const canary =
    'CodeDeployDefault.LambdaCanary10Percent10Minutes\n{"enabled": true, "alarms": [{"name": "Release"}]}\n';

  const stop = async (ticks: readonly string[], template: 'Canary10Percent10Minutes' | 'AllAtOnce') => {
    const folder = scratch();
    const state = (name: string): string => join(folder, name);
    writeFileSync(state('ticks'), `${ticks.join('\n')}\n`);
    writeFileSync(state('template'), `CodeDeployDefault.Lambda${template}`);
    for (const group of ['list', 'authorizer']) writeFileSync(state(group), canary);
    const { succeeded: ok, output } = await runTool('bash', ['.github/stop-release.sh'], {
      cwd: checkout,
      env: { PATH: pathWith({ aws, sleep }), STATE: folder, STAGE: 'prod' },
    });
    const calls = readFileSync(state('calls'), 'utf8');
    const changes = [
      ...calls.matchAll(
        /^\S+ (?:stop-deployment --deployment-id (\S+)|(continue)|(update)\S+ .* (list|auth\w+) --dep)/gm,
      ),
    ].map(([, id, continued, , group]) => id ?? continued ?? group);
    return {
      ok,
      output,
      changes,
      groups: ['list', 'authorizer'].map((group) => readFileSync(state(group), 'utf8')),
    };
  };

  // Each group is changed once, and changed back.
  const touched = ['list', 'authorizer'];

  it.each([
    [
      'stops the canary of each function once, but not the rollbacks that this starts',
      [
        'UPDATE_IN_PROGRESS d-list-1',
        'UPDATE_IN_PROGRESS d-list-1 d-list-1-rollback d-authorizer-1',
        'UPDATE_IN_PROGRESS d-authorizer-1-rollback',
        'UPDATE_ROLLBACK_IN_PROGRESS d-list-2',
        'UPDATE_ROLLBACK_COMPLETE',
      ],
      [...touched, 'd-list-1', 'd-authorizer-1', ...touched],
    ],
    [
      'continues when a deployment completes before it can be stopped',
      ['UPDATE_IN_PROGRESS d-list-1-done d-authorizer-1', 'UPDATE_ROLLBACK_COMPLETE'],
      [...touched, 'd-list-1-done', 'd-authorizer-1', ...touched],
    ],
    ['changes nothing when no release runs', ['UPDATE_COMPLETE'], []],
    [
      'only waits for a rollback that runs',
      ['UPDATE_ROLLBACK_IN_PROGRESS d-list-1-rollback', 'UPDATE_ROLLBACK_COMPLETE'],
      [],
    ],
    [
      'continues a rollback that failed',
      ['UPDATE_ROLLBACK_FAILED', 'UPDATE_ROLLBACK_IN_PROGRESS', 'UPDATE_ROLLBACK_COMPLETE'],
      [...touched, 'continue', ...touched],
    ],
  ])('%s', async (_, ticks, expected) => {
    expect(await stop(ticks, 'Canary10Percent10Minutes')).toMatchObject({
      ok: true,
      changes: expected,
      groups: [canary, canary],
    });
  });

  it.each([
    [
      'fails with the section of the runbook when a rollback fails again',
      ['UPDATE_ROLLBACK_FAILED', 'UPDATE_ROLLBACK_IN_PROGRESS', 'UPDATE_ROLLBACK_FAILED'],
      /^::error::PlantStore-prod is UPDATE_ROLLBACK_FAILED: docs\/runbook\.md#roll-back/m,
    ],
    ['ends when its run is cancelled', ['UPDATE_IN_PROGRESS d-list-1', 'CANCELLED'], /UPDATE_IN_PROGRESS$/m],
  ])('%s, with the groups as they were', async (_, ticks, message) => {
    const { ok, output, groups } = await stop(ticks, 'Canary10Percent10Minutes');
    expect([ok, output, ...groups]).toEqual([false, expect.stringMatching(message), canary, canary]);
  });

  it('leaves the canary off when the stack was rolled back to an urgent deployment', async () => {
    const { groups } = await stop(['UPDATE_IN_PROGRESS d-list-1', 'UPDATE_ROLLBACK_COMPLETE'], 'AllAtOnce');
    expect(groups).toEqual(Array(2).fill('CodeDeployDefault.LambdaAllAtOnce\nenabled=false\n'));
  });
});

describe('the commands of deploy.yml and stage.yml', () => {
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

  it.each(['false', 'true'])(
    'synthesize once, and deploy that up to the first call to AWS; urgent: %s',
    async (urgent) => {
      calls.length = 0;
      const source = scratch(copyCheckout());
      const steps = jobOf(readWorkflow('deploy'), 'synth').steps.flatMap(({ run }) => run ?? []);
      const [, synthesize = ''] = steps;
      execFileSync('bash', ['-ec', synthesize.replace('${{ inputs.urgent || false }}', urgent)], {
        cwd: source,
        env: runnerEnvironment,
        stdio: 'pipe',
      });
      const template = readFileSync(join(source, 'cdk.out/PlantStore-prod.template.json'), 'utf8');
      expect(template.includes('CodeDeployDefault.LambdaAllAtOnce')).toBe(urgent === 'true');
      expect(template.includes('BeforeAllowTrafficHook')).toBe(urgent === 'false');

      const folder = scratch(copyCheckout());
      renameSync(join(source, 'cdk.out'), join(folder, 'cdk.out'));
      const port = aws.listening ? undefined : await listen(aws, 0, 'PORT');
      if (port !== undefined) endpoint = `http://127.0.0.1:${String(port)}`;
      const [install, stop, deployed] = await runJob(
        ['stage', 'deploy'],
        folder,
        { 'inputs.stage': 'prod' },
        {
          AWS_ENDPOINT_URL: endpoint,
          AWS_REGION: 'eu-central-1',
          AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
          AWS_SECRET_ACCESS_KEY: 'secret',
          AWS_SESSION_TOKEN: 'token',
          PATH: pathWith({ aws: 'case "$*" in *StackStatus*) echo UPDATE_COMPLETE ;; esac' }),
        },
      );
      expect([install?.ok, stop?.ok, deployed?.ok], deployed?.output).toEqual([true, true, false]);
      expect(calls[0]).toBe('GetCallerIdentity');
    },
    600_000,
  );
  let endpoint = '';
});
