// The suite `workflows` proves: the pipelines are well-formed, log in to AWS only where no test and no install
// script runs, deploy what they should, stop a release that runs, and their smoke test finds defects. It cannot show
// GitHub itself: its approvals, its identities.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { suites } from '../suites.ts';
import { checkout } from './workflow-runner.ts';
import { type Job, jobOf, readWorkflow, workflowText } from './workflow.ts';

const actionlint = z.string().parse(process.env['ACTIONLINT_COMMAND']);
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')));

const github = join(checkout, '.github');
const names = readdirSync(join(github, 'workflows')).map((file) => file.replace('.yml', ''));
const commandsOf = ({ steps }: Job): string => steps.flatMap(({ run }) => run ?? []).join('\n');

describe.each(names)('%s.yml', (name) => {
  const workflow = readWorkflow(name);
  const jobs = Object.values(workflow.jobs);

  it('passes actionlint', () => {
    const options = { input: workflowText(name), encoding: 'utf8', cwd: checkout } as const;
    expect(spawnSync(actionlint, ['-oneline', '-no-color', '-'], options).stdout).toBe('');
  });

  it('pins each action to a commit, and says which version that is', () => {
    const uses = (workflowText(name).match(/uses:.*/g) ?? []).filter((each) => !each.startsWith('uses: ./'));
    expect(uses).not.toEqual([]);
    for (const each of uses) expect(each).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('runs npm commands that exist', () => {
    const commands = jobs.flatMap((job) =>
      [...commandsOf(job).matchAll(/\bnpm (?:--prefix \S+ )?(?:run (?:-s )?)?(\S+)/g)].map(
        ([, command = '']) => command,
      ),
    );
    const known = (command: string): boolean => ['ci', 'test'].includes(command) || command in scripts;
    expect(commands.filter((command) => !known(command))).toEqual([]);
  });

  it('leaves no credentials in the checkout, contains none of AWS, and gives no permission except those of the jobs', () => {
    const checkouts = jobs.flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')),
    );
    expect(checkouts).not.toEqual([]);
    for (const step of checkouts) expect(step.with['persist-credentials']).toBe(false);
    expect(workflowText(name)).not.toMatch(/aws-access-key-id|aws-secret|AWS_SECRET|AWS_ACCESS_KEY/i);
    expect(workflow.permissions).toEqual({});
  });
});

describe('the permissions of all jobs', () => {
  const jobs = names.flatMap((name) =>
    Object.entries(readWorkflow(name).jobs).map(([job, rest]) => ({ name: `${name}: ${job}`, ...rest })),
  );

  it('are to read the repository, unless the job asks for CI, logs in to AWS or reports a failure', () => {
    const more = jobs.filter(({ permissions }) => JSON.stringify(permissions) !== '{"contents":"read"}');
    expect(Object.fromEntries(more.map(({ name, permissions }) => [name, permissions]))).toEqual({
      'deploy: synth': { actions: 'read', contents: 'read' },
      'deploy: staging': { contents: 'read', 'id-token': 'write' },
      'deploy: prod': { contents: 'read', 'id-token': 'write' },
      'stage: deploy': { contents: 'read', 'id-token': 'write' },
      'probe: report': { issues: 'write' },
    });
  });

  it('include a login to AWS only for the stages’ environments, and where no package’s script runs', () => {
    for (const job of jobs) {
      const logsIn = job.steps.some(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials@'));
      expect([job.name, logsIn]).toEqual([job.name, job.name === 'stage: deploy']);
    }
    const login = jobOf(readWorkflow('stage'), 'deploy');
    expect(login.environment).toBe('${{ inputs.stage }}');
    expect(commandsOf(login).match(/\b(?:npm|npx) .*/g)).toEqual(['npm ci --ignore-scripts']);
  });
});

describe.each(readdirSync(github).filter((file) => file.endsWith('.sh')))('%s', (file) => {
  it('passes ShellCheck', () => {
    expect(spawnSync('shellcheck', [join(github, file)], { encoding: 'utf8' }).stdout).toBe('');
  });
});

describe('ci.yml', () => {
  const { jobs } = readWorkflow('ci');

  it('runs the README’s test command, and checks the benchmark with its packages', () => {
    expect(readFileSync(join(checkout, 'README.md'), 'utf8')).toContain('npm ci && npm test ');
    expect(jobs['test']?.steps.flatMap(({ run }) => run ?? [])).toEqual([
      'npm ci && npm test',
      'npm --prefix bench ci --ignore-scripts && npm --prefix bench run check && npm run check',
    ]);
  });

  it('runs every suite', () => {
    expect(jobs['suites']?.strategy?.matrix['suite']).toEqual(suites.map(({ name }) => name));
    expect(jobs['suites']?.steps.at(-1)?.run).toBe('npm ci && npm run test:suites -- ${{ matrix.suite }}');
  });

  it('tests each commit of main, and the newest one of a pull request', () => {
    expect(workflowText('ci')).toMatch(
      /group: ci-\$\{\{ github\.event_name == 'push' && github\.sha \|\| github\.ref \}\} .*\n.*'pull_request' \}\}$/m,
    );
  });
});

describe('deploy.yml', () => {
  const deploy = readWorkflow('deploy');
  const [synth, staging, prod] = ['synth', 'staging', 'prod'].map((name) => jobOf(deploy, name));
  const stage = readWorkflow('stage');

  it('deploys one synthesis to staging and then to prod with the same workflow', () => {
    expect([staging?.needs, prod?.needs]).toEqual([['synth'], ['synth', 'staging']]);
    expect([staging?.uses, prod?.uses]).toEqual(Array(2).fill('./.github/workflows/stage.yml'));
    expect([staging?.with['stage'], prod?.with['stage']]).toEqual(['staging', 'prod']);
  });

  it('starts by itself only for a push to main that is still its tip', () => {
    expect(synth?.if).toMatch(
      /event == 'push' &&\s\S+conclusion == 'success' && \S+workflow_run\.head_sha == github\.sha\)/,
    );
  });

  it('deploys to prod by itself only if its environment has reviewers', () => {
    expect(prod?.if).toMatch(
      /\(inputs\.stage == 'prod' \|\|\s\(github\.event_name == 'workflow_run' && vars\.PROD_HAS_REVIEWERS == 'true' &&/,
    );
  });

  it('deploys one run at a time in each stage, and an urgent one at once in place of another urgent one', () => {
    expect(jobOf(stage, 'deploy').concurrency).toEqual({
      group: "${{ inputs.urgent && 'urgent' || 'deploy' }}-${{ inputs.stage }}",
      'cancel-in-progress': '${{ inputs.urgent }}',
    });
    expect(Object.values(deploy.jobs).map(({ concurrency }) => concurrency)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(workflowText('deploy')).not.toContain('concurrency');
  });

  it('goes on when staging was skipped, because GitHub skips whatever follows a skipped job', () => {
    for (const job of [prod, jobOf(stage, 'smoke')]) expect(job?.if).toContain('!cancelled()');
  });

  it('stops a release only in an urgent run, before it deploys', () => {
    const { steps } = jobOf(stage, 'deploy');
    const commands = steps.flatMap(({ run, if: condition }) =>
      run === undefined ? [] : [[condition, run.slice(0, 24)]],
    );
    expect(commands.slice(1)).toEqual([
      // GitHub signals a cancellation to the step's first process only.
      ['inputs.urgent', 'exec .github/stop-releas'],
      [undefined, expect.stringContaining('node node_modules')],
    ]);
  });

  it('tests a stage in an environment that needs no second approval and cannot log in', () => {
    const { needs, environment } = jobOf(stage, 'smoke');
    expect([needs, environment]).toEqual([['deploy'], 'smoke']);
  });
});
