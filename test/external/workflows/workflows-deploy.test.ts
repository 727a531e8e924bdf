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

describe('an urgent deployment', () => {
  /** Answers to the AWS CLI: the stack's states in order, and two deployment groups with a deployment each. */
  const aws = `echo "$*" >>"$CALLS"
case "$1 $2 $*" in
  *Stacks*StackStatus*) state=$(head -n 1 "$STATES"); [ "$(wc -l <"$STATES")" = 1 ] || sed -i 1d "$STATES"; echo "$state" ;;
  *describe-stack-resources*Application*) echo releases ;;
  *describe-stack-resources*Group*) printf 'list\\tauthorizer\\n' ;;
  *list-deployments*) echo "d-$6" ;;
esac`;
  const stop = async (...states: readonly string[]) => {
    const folder = scratch();
    const [calls, stateFile] = [join(folder, 'calls'), join(folder, 'states')];
    writeFileSync(stateFile, `${states.join('\n')}\n`);
    const { succeeded: ok, output } = await runTool('bash', ['.github/stop-release.sh'], {
      cwd: checkout,
      env: { PATH: pathWith({ aws, sleep: '' }), CALLS: calls, STATES: stateFile, STAGE: 'prod' },
    });
    return { ok, output, calls: readFileSync(calls, 'utf8') };
  };
  const changes = (calls: string): readonly string[] =>
    calls
      .split('\n')
      .filter((line) => !/ (?:describe|list)-/.test(line))
      .map((line) => /^\S+ (\S+)/.exec(line)?.[1] ?? '')
      .filter((line) => line !== '');
  const turnedOff = ['update-deployment-group', 'update-deployment-group'];

  it('stops the canary of each function, and waits until the stack was rolled back', async () => {
    const { ok, calls } = await stop(
      'UPDATE_IN_PROGRESS',
      'UPDATE_ROLLBACK_IN_PROGRESS',
      'UPDATE_ROLLBACK_COMPLETE',
    );
    expect(ok).toBe(true);
    expect(changes(calls)).toEqual([...turnedOff, 'stop-deployment', 'stop-deployment']);
    expect(calls).toContain('--alarm-configuration enabled=false');
    expect(calls).toContain('stop-deployment --deployment-id d-list --auto-rollback-enabled');
  });

  it('stops nothing when no release runs, and turns the alarms of CodeDeploy off', async () => {
    expect(changes((await stop('UPDATE_COMPLETE')).calls)).toEqual(turnedOff);
  });

  it('continues a rollback that failed, once, and fails with the runbook’s section when it fails again', async () => {
    const good = await stop(
      'UPDATE_ROLLBACK_FAILED',
      'UPDATE_ROLLBACK_IN_PROGRESS',
      'UPDATE_ROLLBACK_COMPLETE',
    );
    expect([good.ok, changes(good.calls)]).toEqual([true, [...turnedOff, 'continue-update-rollback']]);
    const bad = await stop('UPDATE_ROLLBACK_FAILED', 'UPDATE_ROLLBACK_IN_PROGRESS', 'UPDATE_ROLLBACK_FAILED');
    expect([bad.ok, changes(bad.calls)]).toEqual([false, [...turnedOff, 'continue-update-rollback']]);
    expect(bad.output).toMatch(
      /^::error::PlantStore-prod is UPDATE_ROLLBACK_FAILED: docs\/runbook\.md#roll-back/m,
    );
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
