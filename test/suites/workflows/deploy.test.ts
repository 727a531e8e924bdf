import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyProject } from '../../support/service/local-service.ts';
import { checkout, newFolder, pathWith } from './runner.ts';
import { type Contexts, evaluate, type Job, isMet, jobOf, runCommand, workflowText } from './workflow.ts';

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
    const commands = jobOf('deploy', 'synth').steps.flatMap(({ run }) => run ?? []);
    expect(evaluated(commands)).toContain(`npm ci && npm run synth -- --context urgent=${String(urgent)}`);
    const { concurrency, steps } = jobOf('stage', 'deploy');
    const stop = steps.find(({ run }) => run?.includes('stop-release'));
    expect(isMet(stop?.if ?? '', { inputs: { urgent } })).toBe(urgent);
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

  const check = (given: string, passed = '1'): ReturnType<typeof runCommand> => {
    const query = '--workflow ci.yml --branch main --event push --commit $COMMIT --status success';
    const gh = `[[ "$*" == *"${query}"* ]] && echo ${passed} || echo 0`;
    const contexts = { github: { event: {} }, inputs: { commit: given } };
    return runCommand(jobOf('deploy', 'synth'), 'check-commit', contexts, folder, {
      PATH: pathWith({ gh }),
    });
  };

  it.each([
    ['the tip of main', second],
    ['an older commit of main', first],
  ])('is checked out if it passed CI and is %s', async (_, given) => {
    expect(await check(given)).toMatchObject({ succeeded: true });
    expect(git('rev-parse', 'HEAD')).toBe(given);
  });

  it.each([
    ['a branch', 'main'],
    ['an abbreviated commit', second.slice(0, 12)],
    ['a commit that does not exist', tip],
    ['a commit that is not on main', unreviewed],
    ['a tag', 'refs/tags/main'],
    ['a commit in upper case', second.toUpperCase()],
    ['a commit and another line', `${second}\n${unreviewed}`],
    ['nothing', ''],
  ])('is rejected if it is %s', async (_, given) => {
    const output: unknown = expect.stringMatching(/^::error::.*full SHA.*main\.$/m);
    expect(await check(given)).toMatchObject({ succeeded: false, output });
  });

  it('is rejected if it did not pass CI', async () => {
    const output: unknown = expect.stringMatching(/^::error::.*not passed CI.*\.$/m);
    expect(await check(second, '0')).toMatchObject({ succeeded: false, output });
  });
});

it('synthesizes an urgent run without a canary, and deploys that until it needs an AWS account', async () => {
  const contexts = byHand('prod', true);
  const { folder, remove } = copyProject();
  const npm = 'PATH=${PATH#*:}; [ "$1" = ci ] || exec npm "$@"';
  const run = (job: Job, text: string): ReturnType<typeof runCommand> =>
    runCommand(job, text, contexts, folder, { PATH: pathWith({ npm }) });
  expect(await run(jobOf('deploy', 'synth'), 'npm run synth')).toMatchObject({ succeeded: true });
  const template = readFileSync(join(folder, 'cdk.out/PlantStore-prod.template.json'), 'utf8');
  expect(template).toContain('CodeDeployDefault.LambdaAllAtOnce');
  const { output } = await run(jobOf('stage', 'deploy'), 'cdk deploy');
  expect(output).toContain('Unable to resolve AWS account');
  remove();
}, 600_000);
