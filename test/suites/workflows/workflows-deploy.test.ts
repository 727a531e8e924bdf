import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { runTool } from '../tool.ts';
import { checkout, copyCheckout, newFolder, npm, pathWith } from './runner.ts';
import { type Contexts, evaluate, isMet, jobOf, runJob, type StepResult, workflowText } from './workflow.ts';

const tip = 'c0ffee'.padEnd(40, '0');
const older = 'decade'.padEnd(40, '0');

/** After a run of CI: unless said otherwise, one that passed for a push of main's tip. */
const afterCi = (run: object = {}, further: Contexts = {}): Contexts => {
  const workflow_run = { event: 'push', conclusion: 'success', head_sha: tip, ...run };
  const event = { workflow_run, inputs: {} };
  return { github: { event_name: 'workflow_run', sha: tip, event }, ...further };
};
const byHand = (stage: string, urgent = false, further: Contexts = {}): Contexts => {
  const inputs = { commit: older, stage, urgent };
  return { github: { event_name: 'workflow_dispatch', sha: tip, event: { inputs } }, inputs, ...further };
};
/** The results of the jobs before the one to `prod`. */
const after = (synth: string, staging: string): Contexts => ({
  needs: { synth: { result: synth }, staging: { result: staging } },
});

describe('deploy.yml', () => {
  const reviewed = { vars: { PROD_HAS_REVIEWERS: 'true' } };
  const passed = after('success', 'success');
  const skipped = after('success', 'skipped');
  const [deploy, staging] = [{ result: 'success' }, { result: 'skipped' }];

  it.each<readonly [job: string, when: string, runs: boolean, Contexts]>([
    ['synth', 'after a push to main that passed CI', true, afterCi()],
    ['synth', 'after a push that failed CI', false, afterCi({ conclusion: 'failure' })],
    ['synth', 'after a push that is no longer the tip of main', false, afterCi({ head_sha: older })],
    ['synth', 'after a pull request from a fork’s branch main', false, afterCi({ event: 'pull_request' })],
    ['synth', 'when started by hand', true, byHand('prod')],
    ['staging', 'after CI', true, afterCi()],
    ['staging', 'when started by hand', true, byHand('staging')],
    ['staging', 'when prod is started by hand', false, byHand('prod')],
    ['prod', 'after staging if prod has reviewers', true, afterCi({}, { ...passed, ...reviewed })],
    ['prod', 'after staging if prod has no reviewers', false, afterCi({}, passed)],
    ['prod', 'after staging failed', false, afterCi({}, { ...after('success', 'failure'), ...reviewed })],
    ['prod', 'when started by hand', true, byHand('prod', false, skipped)],
    ['prod', 'when staging is started by hand', false, byHand('staging', false, { ...passed, ...reviewed })],
    ['prod', 'after the synthesis failed', false, byHand('prod', false, after('failure', 'skipped'))],
    ['prod', 'after cancellation', false, byHand('prod', false, { ...skipped, cancelled: () => true })],
    ['smoke', 'after a deployment to prod that skipped staging', true, { needs: { deploy, staging } }],
    ['smoke', 'after a deployment that failed', false, { needs: { deploy: { result: 'failure' } } }],
  ])('runs the job %s %s: %s', (name, _, expected, contexts) => {
    // Without a status function, GitHub skips a job after any other result.
    const succeeded = !/skipped|failure/.test(JSON.stringify(contexts['needs'] ?? {}));
    const { if: condition } = jobOf(name === 'smoke' ? 'stage' : 'deploy', name);
    expect(isMet(condition, contexts, succeeded)).toBe(expected);
  });

  it.each([
    ['that passed CI', afterCi(), tip],
    ['given by hand', byHand('prod'), older],
  ])('deploys and tests the commit %s', (_, contexts, commit) => {
    const synthesized = jobOf('deploy', 'synth').steps.flatMap(({ env }) => env['COMMIT'] ?? []);
    const tested = jobOf('stage', 'smoke').steps.flatMap(({ with: { ref } }) =>
      typeof ref === 'string' ? ref : [],
    );
    expect([...synthesized, ...tested].map((each) => evaluate(each, contexts))).toEqual([commit, commit]);
  });

  it.each([
    ['one run at a time', false, 'deploy-prod'],
    ['an urgent run in place of another urgent one', true, 'urgent-prod'],
  ])('deploys one synthesis to staging and then to prod, %s', (_, urgent, group) => {
    const evaluated = (value: object): unknown =>
      JSON.parse(evaluate(JSON.stringify(value), byHand('prod', urgent)));
    for (const [stage, ...needs] of [['staging', 'synth'] as const, ['prod', 'synth', 'staging'] as const]) {
      const job = jobOf('deploy', stage);
      expect([job.uses, job.needs]).toEqual(['./.github/workflows/stage.yml', needs]);
      expect(evaluated(job.with)).toEqual({ stage, urgent: String(urgent) });
    }
    const { concurrency } = jobOf('stage', 'deploy');
    expect(evaluated(concurrency)).toEqual({ group, 'cancel-in-progress': String(urgent) });
    expect((workflowText('deploy') + workflowText('stage')).match(/concurrency/g)).toHaveLength(1);
  });
});

describe('a commit to deploy', () => {
  const folder = newFolder();
  cpSync(join(checkout, '.github'), join(folder, '.github'), { recursive: true });
  const git = (...parameters: readonly string[]): string => {
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    return execFileSync('git', [...author, ...parameters], { cwd: folder, encoding: 'utf8' }).trim();
  };
  const commit = (message: string): string => {
    git('commit', '--quiet', '--allow-empty', '--message', message);
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  const first = commit('First');
  const second = commit('Second');
  git('update-ref', 'refs/remotes/origin/main', second);
  const unreviewed = commit('Not on main');
  // Git could take each for another name.
  for (const name of ['origin/main', 'refs/remotes/origin/main', 'HEAD', first, second]) {
    for (const kind of ['tags', 'heads']) git('update-ref', `refs/${kind}/${name}`, unreviewed);
  }
  for (const name of ['tags/main', 'remotes/origin/origin/main', 'origin/main']) {
    git('update-ref', `refs/${name}`, unreviewed);
  }

  const check = async (given: string, passed = '1'): Promise<StepResult | undefined> => {
    const query = '--workflow ci.yml --branch main --event push --commit $COMMIT --status success';
    const gh = `[[ "$*" == *"${query}"* ]] && echo ${passed} || echo 0`;
    const contexts = { github: { event: {} }, inputs: { commit: given } };
    const [result] = await runJob(jobOf('deploy', 'synth'), contexts, folder, {
      PATH: pathWith({ gh, npm: '' }),
    });
    return result;
  };

  it.each([
    ['the tip of main', second],
    ['an older commit of main', first],
  ])('is checked out if it passed CI and is %s', async (_, given) => {
    expect(await check(given)).toMatchObject({ ok: true });
    expect(git('rev-parse', 'HEAD')).toBe(given);
  });

  it.each([
    ['a branch', 'main'],
    ['an abbreviated commit', second.slice(0, 12)],
    ['a commit that does not exist', tip],
    ['a commit that is not on main', unreviewed],
    ['a branch of the remote', 'origin/main'],
    ['a tag', 'refs/tags/main'],
    ['a commit’s parent', `${second}~`],
    ['an option', '--all'],
    ['a commit in upper case', second.toUpperCase()],
    ['a commit and another line', `${second}\n${unreviewed}`],
    ['nothing', ''],
  ])('is rejected if it is %s', async (_, given) => {
    const output: unknown = expect.stringMatching(/^::error::.*full SHA.*main\.$/m);
    expect(await check(given)).toMatchObject({ ok: false, output });
  });

  it('is rejected if it did not pass CI', async () => {
    const output: unknown = expect.stringMatching(/^::error::.*not passed CI.*\.$/m);
    expect(await check(second, '0')).toMatchObject({ ok: false, output });
  });
});

describe('stop-release.sh', () => {
  /**
   * The AWS CLI. Each line of `ticks` is the state after one more `sleep`: the stack's status, then the
   * deployments that run, named `d-GROUP-NUMBER`, with `-rollback`, `-done` if stopping it comes too late, or
   * `-late` if it starts after the status was read. With `canary` or `urgent`, CloudFormation has set the
   * groups as such a template has them.
   */
  const aws = `echo "$*" >>"$STATE/calls"
    read -r status deployments < <(head -n 1 "$STATE/ticks")
    case "$*" in
      *describe-stacks*) echo "$status" && touch "$STATE/read" ;;
      *CodeDeploy::Application*) echo releases ;;
      *CodeDeploy::DeploymentGroup*) printf 'list\\tauthorizer\\n' ;;
      *get-template*) cat "$STATE/template" ;;
      *get-deployment-group*) paste -s "$STATE/$6" ;;
      *update-deployment-group*) printf '%s\\n' "$8" "\${10}" >"$STATE/$6" ;;
      *list-deployments*)
        for each in $deployments; do
          [[ $each != d-$6-* || ($each == *-late && ! -e $STATE/read) ]] || echo "$each"
        done ;;
      *get-deployment*-rollback*) echo 'codeDeployRollback d-list-1' ;;
      *get-deployment*) echo 'user None' ;;
      *stop-deployment*-done*) echo 'DeploymentAlreadyCompletedException' >&2 && exit 254 ;;
    esac`;
  const sleep = `rm -f "$STATE/read"
    [ "$(wc -l <"$STATE/ticks")" = 1 ] || sed -i 1d "$STATE/ticks"
    read -r status state < <(head -n 1 "$STATE/ticks")
    case "$status $state" in
      CANCELLED*) kill -INT "$PPID" ;;
      CLOSED*) kill -HUP "$PPID" && kill -HUP "$PPID" ;;
      *' '*canary | *' '*urgent)
        for each in list authorizer template; do cp "$STATE/\${state##* }" "$STATE/$each"; done ;;
    esac`;
  const settings = {
    canary: 'CodeDeployDefault.LambdaCanary10Percent10Minutes\n{"alarms": [{"name": "Release"}]}\n',
    urgent: 'CodeDeployDefault.LambdaAllAtOnce\nenabled=false\n',
  };
  // The groups whose canary is turned off first, and restored last.
  const both = 'list authorizer';
  const failure = '::error::PlantStore-prod is UPDATE_ROLLBACK_FAILED: docs/runbook.md#roll-back';

  it.each([
    [
      'stops the canary of each function once, but not the rollbacks that this starts',
      `UPDATE_IN_PROGRESS d-list-1
       UPDATE_IN_PROGRESS d-list-1 d-list-1-rollback d-authorizer-1
       UPDATE_IN_PROGRESS d-authorizer-1-rollback
       UPDATE_ROLLBACK_IN_PROGRESS d-list-2
       UPDATE_ROLLBACK_COMPLETE`,
      `${both} d-list-1 d-authorizer-1 ${both}`,
    ],
    [
      'continues if a deployment completes before it can be stopped',
      'UPDATE_IN_PROGRESS d-list-1-done d-authorizer-1\n UPDATE_ROLLBACK_COMPLETE',
      `${both} d-list-1-done d-authorizer-1 ${both}`,
    ],
    ['changes nothing if no release runs', 'UPDATE_COMPLETE', ''],
    [
      'waits for a rollback that runs',
      'UPDATE_ROLLBACK_IN_PROGRESS d-list-1-rollback\n UPDATE_ROLLBACK_COMPLETE',
      '',
    ],
    [
      'continues a rollback that failed',
      'UPDATE_ROLLBACK_FAILED\n UPDATE_ROLLBACK_IN_PROGRESS\n UPDATE_ROLLBACK_COMPLETE',
      `${both} continue ${both}`,
    ],
    [
      'fails with the section of the runbook if a rollback fails again',
      'UPDATE_ROLLBACK_FAILED\n UPDATE_ROLLBACK_IN_PROGRESS\n UPDATE_ROLLBACK_FAILED',
      `${both} continue ${both}`,
      failure,
    ],
    [
      'restores the canary if its run is cancelled',
      'UPDATE_IN_PROGRESS d-list-1\n CANCELLED',
      `${both} d-list-1 ${both}`,
      'PlantStore-prod: UPDATE_IN_PROGRESS',
    ],
    [
      'restores the canary if its terminal is closed',
      'UPDATE_IN_PROGRESS d-list-1\n CLOSED',
      `${both} d-list-1 ${both}`,
      'PlantStore-prod: UPDATE_IN_PROGRESS',
    ],
    [
      'leaves the canary off after a rollback to an urgent deployment',
      'UPDATE_IN_PROGRESS d-list-1\n UPDATE_ROLLBACK_COMPLETE urgent',
      `${both} d-list-1`,
    ],
    [
      'leaves the canary off when another urgent deployment completes',
      'UPDATE_IN_PROGRESS d-list-1-done\n UPDATE_COMPLETE urgent',
      `${both} d-list-1-done`,
    ],
    [
      'leaves the canary on when another urgent deployment is rolled back',
      'CREATE_IN_PROGRESS\n UPDATE_IN_PROGRESS d-list-1 urgent\n UPDATE_ROLLBACK_COMPLETE canary',
      'd-list-1',
    ],
    [
      'stops no deployment that CloudFormation’s rollback may have started',
      'UPDATE_IN_PROGRESS d-list-2-late\n UPDATE_ROLLBACK_COMPLETE',
      `${both} ${both}`,
    ],
  ])('%s', async (_, ticks, changes, error = '') => {
    const [last = 'canary'] = /canary$|urgent$/.exec(ticks) ?? [];
    const left = last === 'urgent' ? settings.urgent : settings.canary;
    const folder = newFolder();
    const state = (file: string): string => join(folder, file);
    writeFileSync(state('ticks'), `${ticks}\n`);
    for (const [name, text] of Object.entries(settings)) writeFileSync(state(name), text);
    for (const each of ['template', ...both.split(' ')]) writeFileSync(state(each), settings.canary);
    const env = { PATH: pathWith({ aws, sleep }), STATE: folder, STAGE: 'prod' };
    const { succeeded, output } = await runTool('bash', ['.github/stop-release.sh'], { cwd: checkout, env });
    expect([succeeded, output]).toEqual([error === '', expect.stringContaining(error)]);
    const changed = readFileSync(state('calls'), 'utf8').matchAll(
      /stop-deployment --deployment-id (\S+)|(continue)|update-deployment-group .* (list|authorizer) --dep/g,
    );
    expect([...changed].flatMap(([, ...found]) => found.join('')).join(' ')).toBe(changes);
    for (const group of both.split(' ')) expect(readFileSync(state(group), 'utf8')).toBe(left);
  });
});

describe('the commands of a run', () => {
  it.each([false, true])(
    'synthesize, and deploy that up to the first call to AWS; urgent: %s',
    async (urgent) => {
      const contexts = byHand('prod', urgent);
      const source = copyCheckout();
      const synthesis = await runJob(jobOf('deploy', 'synth'), contexts, source, {
        PATH: pathWith({ gh: 'echo 1', git: '', npm }),
      });
      expect(synthesis).toMatchObject([{ ok: true }, { ok: true }]);
      const template = readFileSync(join(source, 'cdk.out/PlantStore-prod.template.json'), 'utf8');
      expect(template.includes('CodeDeployDefault.LambdaAllAtOnce')).toBe(urgent);
      expect(template.includes('BeforeAllowTrafficHook')).toBe(!urgent);

      const folder = copyCheckout();
      renameSync(join(source, 'cdk.out'), join(folder, 'cdk.out'));
      const calls: string[] = [];
      const server = createServer((request, response) => {
        void text(request).then((body) => {
          calls.push(
            new URLSearchParams(body).get('Action') ?? `${request.method ?? ''} ${request.url ?? ''}`,
          );
          response.writeHead(403).end();
        });
      });
      const deployment = await runJob(jobOf('stage', 'deploy'), contexts, folder, {
        AWS_ENDPOINT_URL: await startServer(server),
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'secret',
        PATH: pathWith({
          aws: '[[ "$*" != *StackStatus* ]] || echo UPDATE_COMPLETE',
          // Once, the packages are installed without their scripts.
          ...(!urgent && { npm }),
        }),
      });
      await stopServer(server);
      expect(deployment.map(({ run, ok }) => [run.slice(0, 32), ok])).toEqual([
        ['npm ci --ignore-scripts', true],
        // GitHub signals a cancellation to the step's first process only.
        ...(urgent ? [['exec .github/stop-release.sh', true]] : []),
        ['node node_modules/aws-cdk/bin/cd', false],
      ]);
      expect(calls[0], deployment.at(-1)?.output).toBe('GetCallerIdentity');
    },
    600_000,
  );
});
