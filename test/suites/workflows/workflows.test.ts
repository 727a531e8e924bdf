// The suite `workflows` proves: the pipelines are well-formed, log in to AWS only where no test and no
// install script runs, deploy the right commit to the right stages, and stop a running release. It cannot
// show GitHub itself: its approvals, its identities.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { suites } from '../suites.ts';
import { checkout } from './runner.ts';
import { evaluate, type Job, readWorkflow, workflowText } from './workflow.ts';

const actionlint = z.string().parse(process.env['ACTIONLINT_COMMAND']);
const github = join(checkout, '.github');
const names = readdirSync(join(github, 'workflows')).map((file) => file.replace('.yml', ''));
const commandsOf = (job?: Job): readonly string[] => job?.steps.flatMap(({ run }) => run ?? []) ?? [];

describe.each(names)('%s.yml', (name) => {
  const workflow = readWorkflow(name);
  const jobs = Object.values(workflow.jobs);

  it('passes actionlint', () => {
    const options = { input: workflowText(name), encoding: 'utf8', cwd: checkout } as const;
    expect(spawnSync(actionlint, ['-oneline', '-no-color', '-'], options).stdout).toBe('');
  });

  it('pins each action to a commit, with its version', () => {
    const uses = (workflowText(name).match(/uses:.*/g) ?? []).filter((each) => !each.startsWith('uses: ./'));
    expect(uses).not.toEqual([]);
    for (const each of uses) expect(each).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('contains no credentials, leaves none in the checkout, and gives permissions only to jobs', () => {
    const checkouts = jobs.flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses.startsWith('actions/checkout@')),
    );
    expect(checkouts).not.toEqual([]);
    for (const step of checkouts) expect(step.with['persist-credentials']).toBe(false);
    expect(workflowText(name)).not.toMatch(/aws-access-key-id|aws-secret|AWS_SECRET|AWS_ACCESS_KEY/i);
    expect(workflow.permissions).toEqual({});
  });
});

describe('all jobs', () => {
  const jobs = names.flatMap((name) =>
    Object.entries(readWorkflow(name).jobs).map(([id, job]) => [`${name}: ${id}`, job] as const),
  );

  it('may only read the repository, unless they ask for CI, log in to AWS or report a failure', () => {
    const more = jobs.filter(([, { permissions }]) => JSON.stringify(permissions) !== '{"contents":"read"}');
    expect(Object.fromEntries(more.map(([name, { permissions }]) => [name, permissions]))).toEqual({
      'deploy: synth': { actions: 'read', contents: 'read' },
      'deploy: staging': { contents: 'read', 'id-token': 'write' },
      'deploy: prod': { contents: 'read', 'id-token': 'write' },
      'stage: deploy': { contents: 'read', 'id-token': 'write' },
      'probe: report': { issues: 'write' },
    });
  });

  it('log in to AWS only where no test and no package’s script runs', () => {
    const logins = jobs.filter(([, { steps }]) => steps.some(({ uses }) => uses.includes('aws-credentials')));
    expect(logins.map(([name]) => name)).toEqual(['stage: deploy']);
    expect(commandsOf(logins[0]?.[1])).toEqual([
      'npm ci --ignore-scripts',
      'exec .github/stop-release.sh',
      expect.stringMatching(/^node node_modules\/aws-cdk\/bin\/cdk deploy .*\n.*\njq .*\n$/),
    ]);
  });

  it('deploy in the environment of a stage, and test in one without approval', () => {
    const environments = jobs.map(([name, { environment }]) => [name, environment] as const);
    expect(environments.filter(([, environment]) => environment !== undefined)).toEqual([
      ['probe: smoke', { name: 'smoke', deployment: false }],
      ['stage: deploy', '${{ inputs.stage }}'],
      ['stage: smoke', { name: 'smoke', deployment: false }],
    ]);
  });
});

it.each(readdirSync(github).filter((file) => file.endsWith('.sh')))('%s passes ShellCheck', (file) => {
  expect(spawnSync('shellcheck', [join(github, file)], { encoding: 'utf8' }).stdout).toBe('');
});

describe('ci.yml', () => {
  const { jobs, concurrency } = readWorkflow('ci');

  it('runs the README’s test command, and checks the benchmark with its packages', () => {
    expect(readFileSync(join(checkout, 'README.md'), 'utf8')).toContain('npm ci && npm test ');
    expect(commandsOf(jobs['test'])).toEqual([
      'npm ci && npm test',
      'npm --prefix bench ci --ignore-scripts && npm --prefix bench run check && npm run check',
    ]);
  });

  it('runs every suite', () => {
    expect(jobs['suites']?.strategy?.matrix['suite']).toEqual(suites.map(({ name }) => name));
    expect(commandsOf(jobs['suites'])).toEqual(['npm ci && npm run test:suites -- ${{ matrix.suite }}']);
  });

  it('tests each commit of main, because each can be deployed', () => {
    const contexts = { github: { event_name: 'push', sha: 'c0ffee', ref: 'refs/heads/main' } };
    const { group, 'cancel-in-progress': cancels } = concurrency;
    expect([group, cancels].map((each = '') => evaluate(each, contexts))).toEqual(['ci-c0ffee', 'false']);
  });
});
