import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyProject } from '../../support/service/local-service.ts';
import { type Contexts, evaluate, type Job, isMet, jobOf, runCommand, workflowText } from './workflow.ts';

const tip = 'c0ffee'.padEnd(40, '0');
const older = 'decade'.padEnd(40, '0');

/** The contexts after a CI run; by default, one that passed for a push of main's tip. */
const afterCi = (run: object = {}): Contexts => {
  const workflow_run = { event: 'push', conclusion: 'success', head_sha: tip, ...run };
  return { github: { event_name: 'workflow_run', sha: tip, event: { workflow_run, inputs: {} } } };
};
const byHand = (stage: string, urgent = false): Contexts => {
  const inputs = { commit: older, stage, urgent };
  return { github: { event_name: 'workflow_dispatch', sha: tip, event: { inputs } }, inputs };
};
/** The results of the jobs that a job needs. */
const after = (results: Readonly<Record<string, string>>): Contexts => ({
  needs: Object.fromEntries(Object.entries(results).map(([job, result]) => [job, { result }])),
});
const probing = (PROBED_STAGES: string): Contexts => ({ vars: { PROBED_STAGES } });

const reviewed = { vars: { PROD_HAS_REVIEWERS: 'true' } };
const passed = after({ synth: 'success', staging: 'success' });
const failed = after({ synth: 'success', staging: 'failure' });
const skipped = after({ synth: 'success', staging: 'skipped' });

it.for<readonly [workflow: string, effect: 'runs' | 'skips', job: string, when: string, ...Contexts[]]>([
  ['deploy', 'runs', 'synth', 'after a push to main that passed CI', afterCi()],
  ['deploy', 'skips', 'synth', 'after a push that failed CI', afterCi({ conclusion: 'failure' })],
  ['deploy', 'skips', 'synth', 'after a push that is not main’s tip', afterCi({ head_sha: older })],
  ['deploy', 'skips', 'synth', 'after a pull request from a fork’s main', afterCi({ event: 'pull_request' })],
  ['deploy', 'runs', 'synth', 'when started by hand', byHand('prod')],
  ['deploy', 'runs', 'staging', 'after CI', afterCi()],
  ['deploy', 'runs', 'staging', 'when started by hand', byHand('staging')],
  ['deploy', 'skips', 'staging', 'when prod is started by hand', byHand('prod')],
  ['deploy', 'runs', 'prod', 'after staging if prod has reviewers', afterCi(), passed, reviewed],
  ['deploy', 'skips', 'prod', 'after staging if prod has no reviewers', afterCi(), passed],
  ['deploy', 'skips', 'prod', 'after staging failed', afterCi(), failed, reviewed],
  ['deploy', 'runs', 'prod', 'when started by hand', byHand('prod'), skipped],
  ['deploy', 'skips', 'prod', 'when staging is started by hand', byHand('staging'), passed, reviewed],
  ['deploy', 'skips', 'prod', 'after the synthesis failed', byHand('prod'), after({ synth: 'failure' })],
  ['deploy', 'skips', 'prod', 'after cancellation', byHand('prod'), skipped, { cancelled: () => true }],
  ['stage', 'runs', 'smoke', 'after skipping staging', after({ deploy: 'success', staging: 'skipped' })],
  ['stage', 'skips', 'smoke', 'after a deployment that failed', after({ deploy: 'failure' })],
  ['probe', 'skips', 'smoke', 'if PROBED_STAGES is not set', probing('')],
  ['probe', 'skips', 'smoke', 'if PROBED_STAGES is an empty list', probing('[]')],
  ['probe', 'runs', 'smoke', 'if a stage is listed', probing('["prod"]')],
  ['probe', 'skips', 'report', 'if the smoke test was skipped', after({ smoke: 'skipped' })],
  ['probe', 'skips', 'report', 'if the smoke test passed', after({ smoke: 'success' })],
  ['probe', 'runs', 'report', 'if the smoke test failed', after({ smoke: 'failure' })],
  ['probe', 'runs', 'report', 'if the smoke test timed out', after({ smoke: 'cancelled' })],
])('%s.yml %s the job %s %s', ([workflow, effect, job, , ...parts]) => {
  const contexts = parts.reduce((all, part) => ({ ...all, ...part }));
  // Without a status function, GitHub skips a job after any result but success.
  const succeeded = !/skipped|failure|cancelled/.test(JSON.stringify(contexts['needs'] ?? {}));
  expect(isMet(jobOf(workflow, job).if, contexts, succeeded)).toBe(effect === 'runs');
});

it('probe.yml starts every 15 minutes', () => {
  expect(workflowText('probe')).toMatch(/- cron: '\d+-59\/15 \* \* \* \*'/);
});

it.each([
  ['that passed CI', afterCi(), tip],
  ['given by hand', byHand('prod'), older],
])('deploy.yml deploys and tests the commit %s', (_, contexts, commit) => {
  const synthesized = jobOf('deploy', 'synth').steps.flatMap(({ env }) => env['COMMIT'] ?? []);
  const tested = jobOf('stage', 'smoke').steps.flatMap((step) => step.with['ref'] ?? []);
  expect(evaluate([...synthesized, ...tested], contexts)).toEqual([commit, commit]);
});

it.each([
  ['one run at a time', false, 'deploy-prod'],
  ['an urgent run in place of another urgent one', true, 'urgent-prod'],
])('deploy.yml deploys one synthesis to staging and then to prod, %s', (_, urgent, group) => {
  const contexts = byHand('prod', urgent);
  for (const [stage, needs] of [['staging', 'synth'] as const, ['prod', ['synth', 'staging']] as const]) {
    expect(evaluate(jobOf('deploy', stage), contexts)).toMatchObject({
      uses: './.github/workflows/stage.yml',
      needs,
      with: { stage, urgent: String(urgent) },
    });
  }
  const command = `npm ci && npm run synth -- --context urgent=${String(urgent)}`;
  expect(evaluate(jobOf('deploy', 'synth').steps, contexts)).toContainEqual(
    expect.objectContaining({ run: command }),
  );
  const { concurrency, steps } = jobOf('stage', 'deploy');
  const stop = steps.find(({ run }) => run?.includes('stop-release'));
  expect(isMet(stop?.if ?? '', { inputs: { urgent } })).toBe(urgent);
  expect(evaluate(concurrency, contexts)).toEqual({ group, 'cancel-in-progress': String(urgent) });
  expect((workflowText('deploy') + workflowText('stage')).match(/concurrency/g)).toHaveLength(1);
});

it('synthesizes an urgent run without a canary, and runs `cdk deploy` up to its AWS login', async () => {
  const { folder, remove } = copyProject();
  const npm = 'PATH=${PATH#*:}; [ "$1" = ci ] || exec npm "$@"';
  const run = (job: Job, text: string): ReturnType<typeof runCommand> =>
    runCommand(job, text, byHand('prod', true), folder, { npm });
  expect(await run(jobOf('deploy', 'synth'), 'npm run synth')).toMatchObject({ succeeded: true });
  const template = readFileSync(join(folder, 'cdk.out/PlantStore-prod.template.json'), 'utf8');
  expect(template).toContain('CodeDeployDefault.LambdaAllAtOnce');
  const { output } = await run(jobOf('stage', 'deploy'), 'cdk deploy');
  expect(output).toContain('Unable to resolve AWS account');
  remove();
}, 600_000);

const names = ['BASE_URL', 'TOKEN_URL', 'TOKEN_REQUEST', 'CLIENT_ID', 'CLIENT_SECRET'];
const variablesOf = (stage: string, prefix = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [`${prefix}${name}`, `${name} of ${stage}`]));

it.each([
  ['stage', ['prod']],
  ['probe', ['staging', 'prod']],
  ['probe', ['staging']],
] as const)('%s.yml gives smoke.sh the variables of each stage: %j', (workflow, stages) => {
  const vars = {
    PROBED_STAGES: JSON.stringify(stages),
    ...variablesOf('staging', 'STAGING_'),
    ...variablesOf('prod', 'PROD_'),
    // The names that stage.yml makes; GitHub ignores the case.
    ...variablesOf('prod', 'prod_'),
  };
  const outputs = { 'base-url': 'BASE_URL of prod' };
  const contexts = { inputs: { stage: 'prod' }, needs: { deploy: { outputs } }, vars, secrets: vars };
  // The failure of one stage does not skip the next one.
  const steps = jobOf(workflow, 'smoke')
    .steps.filter(({ run }) => run === '.github/smoke.sh')
    .filter(({ if: condition }, index) => isMet(condition, contexts, index === 0));
  const expected = stages.map((stage) => variablesOf(stage));
  expect(steps.map(({ env }) => evaluate(env, contexts))).toEqual(expected);
});
