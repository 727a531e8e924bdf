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
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  it('passes actionlint', () => {
    const options = { input: workflowText(name), encoding: 'utf8', cwd: checkout } as const;
    expect(spawnSync(actionlint, ['-oneline', '-'], options)).toMatchObject({ status: 0, stdout: '' });
  });

  it('pins each action to a commit, with its version', () => {
    const uses = (workflowText(name).match(/uses:.*/g) ?? []).filter((each) => !each.startsWith('uses: ./'));
    expect(uses).not.toEqual([]);
    for (const each of uses) expect(each).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('contains no credentials, leaves none in the checkout, and gives permissions only to jobs', () => {
    const checkouts = steps.filter(({ uses }) => uses.startsWith('actions/checkout@'));
    expect(checkouts).not.toEqual([]);
    for (const step of checkouts) expect(step.with['persist-credentials']).toBe(false);
    expect(workflowText(name)).not.toMatch(/aws-access-key-id|aws-secret|AWS_SECRET|AWS_ACCESS_KEY/i);
    expect(workflow['permissions']).toEqual({});
  });
});

describe('all jobs', () => {
  const jobs = names.flatMap((name) =>
    Object.entries(readWorkflow(name).jobs).map(([id, job]) => [`${name}: ${id}`, job] as const),
  );

  it('have only the permissions that they need, and a stage’s environment only for its deployment', () => {
    const read = { contents: 'read' };
    const login = { ...read, 'id-token': 'write' };
    const smoke = { name: 'smoke', deployment: false };
    expect(jobs.map(([name, { permissions, environment }]) => [name, permissions, environment])).toEqual([
      ['ci: test', read, undefined],
      ['ci: suites', read, undefined],
      ['deploy: synth', { ...read, actions: 'read' }, undefined],
      ['deploy: staging', login, undefined],
      ['deploy: prod', login, undefined],
      ['probe: smoke', read, smoke],
      ['probe: report', { issues: 'write' }, undefined],
      ['stage: deploy', login, '${{ inputs.stage }}'],
      ['stage: smoke', read, smoke],
    ]);
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
});

it.each(readdirSync(github).filter((file) => file.endsWith('.sh')))('%s passes ShellCheck', (file) => {
  expect(spawnSync('shellcheck', [join(github, file)], { encoding: 'utf8' })).toMatchObject({ status: 0 });
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
    const suite = suites.map(({ name }) => name);
    expect(jobs['suites']).toMatchObject({ strategy: { matrix: { suite } } });
    expect(commandsOf(jobs['suites'])).toEqual(['npm ci && npm run test:suites -- ${{ matrix.suite }}']);
  });

  it('tests each commit of main, because each can be deployed', () => {
    const contexts = { github: { event_name: 'push', sha: 'c0ffee', ref: 'refs/heads/main' } };
    const expected = { group: 'ci-c0ffee', 'cancel-in-progress': 'false' };
    expect(evaluate(concurrency, contexts)).toEqual(expected);
  });
});
