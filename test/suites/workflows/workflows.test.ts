// The suite `workflows` proves: actionlint, zizmor and ShellCheck find nothing in the pipelines and scripts;
// a job has no permission that it does not use; the scripts deploy only commits that passed CI, and run the
// smoke test. It cannot show GitHub itself: its conditions, its approvals, its identities.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectFiles } from '../../support/markdown.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const installed = (tool: string): string => z.string().parse(process.env[`${tool.toUpperCase()}_COMMAND`]);
const shellCheck = installed('shellcheck');

const isScript = (file: string): boolean => /^#!.*sh\n/.test(readFileSync(join(checkout, file), 'utf8'));

/** The parameters of each tool, which runs in a checkout. */
const tools: Readonly<Record<string, readonly string[]>> = {
  // It runs ShellCheck on the commands of workflows.
  actionlint: ['-oneline', '-shellcheck', shellCheck],
  zizmor: ['--offline', '--config', join(checkout, 'test/suites/workflows/zizmor.yml'), '.github'],
  shellcheck: ['--external-sources', '--source-path=SCRIPTDIR', ...projectFiles().filter(isScript)],
};

/** What a tool finds, or an empty text when it exits with 0. */
const findingsOf = (tool: string, parameters: readonly string[], cwd = checkout): string => {
  const { error, status, stdout, stderr } = spawnSync(installed(tool), parameters, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return status === 0 ? '' : `${stdout}${stderr}`;
};

it.each(Object.entries(tools))('%s finds nothing', (tool, parameters) => {
  expect(findingsOf(tool, parameters)).toBe('');
});

describe('in a copy', () => {
  const folder = temporaryFolder();
  cpSync(join(checkout, '.github'), join(folder, '.github'), { recursive: true });
  // actionlint looks for workflows in a Git repository.
  spawnSync('git', ['init', '--quiet'], { cwd: folder });

  it.each([
    ['actionlint', 'workflows/stage.yml', '    needs: deploy\n', '', 'property "deploy" is not defined'],
    ['actionlint', 'workflows/stage.yml', '"PlantStore-$STAGE"', 'PlantStore-$STAGE', 'SC2086'],
    ['zizmor', 'workflows/deploy.yml', 'npm ci', 'echo ${{ github.head_ref }}', 'template-injection'],
    ['zizmor', 'workflows/ci.yml', 'permissions: { contents: read }\n', '', 'excessive-permissions'],
    ['shellcheck', 'check-commit.sh', '"$COMMIT" "$main"', '$COMMIT "$main"', 'SC2086'],
  ])('%s finds in %s that %j became %j', (tool, file, text, defect, finding) => {
    const path = join(folder, '.github', file);
    const before = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      before.replace(text, () => defect),
    );
    const parameters = tool === 'shellcheck' ? [path] : (tools[tool] ?? []);
    expect(findingsOf(tool, parameters, folder)).toContain(finding);
    writeFileSync(path, before);
  });
});

const jobSchema = z.looseObject({
  steps: z.array(z.looseObject({ uses: z.string().optional(), run: z.string().optional() })).default([]),
});
const workflowSchema = z.looseObject({ jobs: z.record(z.string(), jobSchema) });
const jobs = readdirSync(join(checkout, '.github/workflows')).flatMap((file) => {
  const workflow = workflowSchema.parse(
    parse(readFileSync(join(checkout, '.github/workflows', file), 'utf8')),
  );
  return Object.entries(workflow.jobs).map(([id, job]) => ({
    id: `${file.replace('.yml', '')}: ${id}`,
    job,
  }));
});

describe('a job', () => {
  it('has only what it needs: earlier jobs, permissions, an environment, and one run at a time', () => {
    const read = { contents: 'read' };
    const login = { ...read, 'id-token': 'write' };
    const smoke = { name: 'smoke', deployment: false };
    const stage = '${{ inputs.stage }}';
    const rows = jobs.map(({ id, job }) => [
      id,
      job['needs'],
      job['permissions'],
      job['environment'],
      job['concurrency'],
    ]);
    expect(rows).toEqual([
      ['ci: test', undefined, undefined, undefined, undefined],
      ['ci: suites', undefined, undefined, undefined, undefined],
      ['deploy: synth', undefined, { ...read, actions: 'read' }, undefined, undefined],
      ['deploy: staging', 'synth', login, undefined, undefined],
      ['deploy: prod', ['synth', 'staging'], login, undefined, undefined],
      ['probe: smoke', undefined, read, smoke, undefined],
      ['probe: report', 'smoke', { issues: 'write' }, undefined, undefined],
      ['stage: deploy', undefined, login, stage, `deploy-${stage}`],
      ['stage: smoke', 'deploy', read, smoke, undefined],
    ]);
  });

  it('that logs in to AWS runs no test and no package’s script', () => {
    const logins = jobs.filter(({ job }) =>
      job.steps.some(({ uses = '' }) => uses.includes('aws-credentials')),
    );
    expect(logins.map(({ id }) => id)).toEqual(['stage: deploy']);
    expect(logins[0]?.job.steps.flatMap(({ run }) => run ?? [])).toEqual([
      'npm ci --ignore-scripts',
      expect.stringMatching(/^node node_modules\/aws-cdk\/bin\/cdk deploy .*\n.*\njq .*\n$/),
    ]);
  });
});
