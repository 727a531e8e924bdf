import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { suites } from './suites.ts';
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
  const steps = jobs.flatMap((job) => job.steps);

  const lint = (workflowFile: string): string =>
    spawnSync(actionlint, ['-oneline', '-no-color', '-'], { input: workflowFile, encoding: 'utf8' }).stdout;

  it('passes actionlint', () => {
    expect(lint(workflowText(name))).toBe('');
  });

  it.each([
    [
      'a job that waits for one that does not exist',
      /^ {4}runs-on/m,
      '    needs: nothing\n    runs-on',
      /"nothing"/,
    ],
    ['an expression with a typo', '${{ ', '${{ githob.ref || ', /undefined variable "githob"/],
    ['a command that ShellCheck warns of', /run: (?=npm|\.github)/, 'run: cd $HOME;', /shellcheck.*SC2086/],
  ])('fails actionlint with %s', (_, correct, broken, finding) => {
    expect(lint(workflowText(name).replace(correct, broken))).toMatch(finding);
  });

  it('pins each action to a commit, and says which version that is', () => {
    const uses = workflowText(name).match(/uses:.*/g) ?? [];
    expect(uses).not.toEqual([]);
    for (const each of uses) expect(each).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('runs npm commands that exist', () => {
    const commands = jobs.flatMap((job) =>
      [...commandsOf(job).matchAll(/\bnpm (?:--prefix \S+ )?(?:run (?:-s )?)?(\S+)/g)].map(
        ([, command = '']) => command,
      ),
    );
    const known = (command: string): boolean => ['ci', 'install'].includes(command) || command in scripts;
    expect(commands.filter((command) => !known(command))).toEqual([]);
  });

  it('leaves no credentials in the checkout, and contains no AWS credentials', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts).not.toEqual([]);
    for (const step of checkouts) expect(step.with['persist-credentials']).toBe(false);
    expect(workflowText(name)).not.toMatch(/aws-access-key-id|aws-secret|AWS_SECRET|AWS_ACCESS_KEY/i);
  });

  it('gives its token no permission except those of the jobs', () => {
    expect(workflow.permissions).toEqual({});
  });
});

describe('the permissions of all jobs', () => {
  const jobs = names.flatMap((name) =>
    Object.entries(readWorkflow(name).jobs).map(([job, rest]) => ({ name: `${name}: ${job}`, ...rest })),
  );
  const more = jobs.filter(({ permissions }) => Object.values(permissions).includes('write'));

  it('are to read the repository, unless the job logs in to AWS, tags a release or reports a failure', () => {
    expect(Object.fromEntries(more.map(({ name, permissions }) => [name, permissions]))).toEqual({
      'deploy: staging': { contents: 'read', 'id-token': 'write' },
      'deploy: prod': { contents: 'read', 'id-token': 'write' },
      'probe: report': { issues: 'write' },
      'release: release': { actions: 'read', contents: 'write' },
    });
    for (const job of jobs.filter((each) => !more.includes(each))) {
      expect(job.permissions).toEqual({ contents: 'read' });
    }
  });

  it('are only to read where packages are installed or the service is tested', () => {
    expect(more.map(commandsOf).filter((text) => /\bnpm (?:ci|run|test|exec)\b|smoke/.test(text))).toEqual([
      expect.stringMatching(/^gh label create/),
    ]);
  });

  it('include a login to AWS only where nothing is installed but the CDK CLI, without its scripts', () => {
    const installs = more
      .filter(({ permissions }) => 'id-token' in permissions)
      .map((job) => commandsOf(job).match(/\b(?:npm|npx|pip|yarn|pnpm) .*/g));
    expect(installs).not.toEqual([]);
    for (const commands of installs) {
      expect(commands).toEqual([
        expect.stringMatching(/^npm install --ignore-scripts .* "aws-cdk@\$version"$/),
      ]);
    }
  });

  it('include a login to AWS only for the environments that trust it', () => {
    for (const { name, permissions, environment, steps } of jobs) {
      const logsIn = steps.some(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials@'));
      expect([name, logsIn]).toEqual([name, 'id-token' in permissions]);
      if (logsIn) expect(['staging', 'prod']).toContain(environment);
    }
  });
});

describe.each(readdirSync(github).filter((file) => file.endsWith('.sh')))('%s', (file) => {
  it('passes ShellCheck', () => {
    expect(spawnSync('shellcheck', [join(github, file)], { encoding: 'utf8' }).stdout).toBe('');
  });
});

describe('ci.yml', () => {
  const { jobs } = readWorkflow('ci');

  it('runs the README’s test command', () => {
    expect(readFileSync(join(checkout, 'README.md'), 'utf8')).toContain('npm ci && npm test ');
    expect(jobs['test']?.steps.at(-1)?.run).toBe('npm ci && npm test');
  });

  it('runs every suite', () => {
    expect(jobs['suites']?.strategy?.matrix['suite']).toEqual(suites.map(({ name }) => name));
    expect(jobs['suites']?.steps.at(-1)?.run).toBe('npm run test:external -- ${{ matrix.suite }}');
  });

  it('checks the code of the benchmark with its packages installed', () => {
    expect(jobs['bench']?.steps.flatMap(({ run }) => run ?? [])).toEqual([
      'npm ci',
      'npm --prefix bench ci --ignore-scripts',
      'npm run check',
    ]);
  });
});

describe('deploy.yml', () => {
  const deploy = readWorkflow('deploy');
  const [staging, prod] = [jobOf(deploy, 'staging'), jobOf(deploy, 'prod')];
  const smokeTests = [jobOf(deploy, 'smoke-staging'), jobOf(deploy, 'smoke-prod')] as const;

  it('deploys one synthesis to staging and then to prod with the same steps, one run at a time', () => {
    expect(jobOf(deploy, 'synth').needs).toEqual(['commit']);
    expect([staging.needs, prod.needs]).toEqual([['synth'], ['synth', 'smoke-staging']]);
    expect([staging.environment, prod.environment]).toEqual(['staging', 'prod']);
    expect([staging.env, prod.env]).toEqual([{ STAGE: 'staging' }, { STAGE: 'prod' }]);
    expect(staging.steps).toEqual(prod.steps);
    expect(deploy.concurrency['cancel-in-progress']).toBe(false);
  });

  it('does not let a run that deploys nothing replace one that waits', () => {
    expect(deploy.concurrency.group).toMatch(
      /event == 'push' &&\s\S+conclusion == 'success' && \S+workflow_run\.head_sha == github\.sha\)\) &&\s'deploy' \|\| github\.run_id/,
    );
  });

  it('tests each stage after its deployment, in an environment that needs no second approval', () => {
    expect(smokeTests.map(({ needs, environment }) => [needs, environment])).toEqual([
      [['staging'], 'staging-smoke'],
      [['prod'], 'prod-smoke'],
    ]);
    expect(smokeTests[0].steps).toEqual(smokeTests[1].steps);
  });

  it('deploys to prod by itself only if its environment has reviewers', () => {
    expect(prod.if).toMatch(
      /\(inputs\.stage == 'prod' \|\|\s\(github\.event_name == 'workflow_run' && vars\.PROD_HAS_REVIEWERS == 'true' &&/,
    );
  });

  it('tests prod also when staging was skipped, because GitHub skips whatever follows a skipped job', () => {
    for (const { if: condition } of [prod, smokeTests[1]]) expect(condition).toContain('!cancelled()');
  });

  it('names the commit and the stage in the list of runs', () => {
    expect(deploy['run-name']).toMatch(
      /^Deploy \$\{\{ inputs\.commit \|\| \S+head_sha \}\} to \$\{\{ inputs\.stage \|\| /,
    );
  });

  it('checks out nothing in a job that logs in except the lock file and the settings of the CDK CLI', () => {
    const checkouts = staging.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(
      checkouts.map((step) => [step.with['sparse-checkout'], step.with['sparse-checkout-cone-mode']]),
    ).toEqual([['cdk.json\npackage-lock.json\n', false]]);
  });
});
