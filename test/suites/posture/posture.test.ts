// The suite `posture` proves: the templates hold no secret, nothing invalid, and nothing insecure without a
// reason. It cannot find what only AWS rejects at deployment.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stages } from '../../../infra/stages.ts';
import { copyProject, npm, type ProjectCopy } from '../../support/service/local-service.ts';
import { runTool } from '../tool.ts';

const checkov = z.string().parse(process.env['CHECKOV_COMMAND']);
const cfnLint = z.string().parse(process.env['CFN_LINT_COMMAND']);

/** The output folder for the template of prod with a domain and other web origins. */
const withDomain = 'cdk.out/with-domain';

let project: ProjectCopy;
beforeAll(async () => {
  project = copyProject();
  // A synthesis fails on a finding of cdk-nag.
  expect(await npm(project.folder, ['run', 'synth']).ended).toMatchObject({ code: 0 });
  project.edit(
    'infra/stages.ts',
    "  alarmRecipients: ['oncall@example.com'],\n",
    `  alarmRecipients: ['oncall@example.com'],
  domain: {
    name: 'plants.example.com',
    certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/a1',
  },
  corsOrigins: ['https://garden.example.com'],
`,
  );
  const other = ['run', 'synth', '--', '--context', 'stage=prod', '--output', withDomain];
  expect(await npm(project.folder, other).ended).toMatchObject({ code: 0 });
});
afterAll(() => {
  project.remove();
});

const templateOf = (stage: string, folder = 'cdk.out'): string =>
  join(project.folder, folder, `PlantStore-${stage}.template.json`);
const allTemplates = (): readonly string[] => [
  ...stages.map(({ name }) => templateOf(name)),
  templateOf('prod', withDomain),
  join(project.folder, 'infra/deploy-role.yaml'),
];

/** What a linter prints as JSON. Its exit code is not 0 when it has findings. */
const jsonOf = async (command: string, ...parameters: readonly string[]): Promise<unknown> =>
  JSON.parse((await runTool(command, parameters)).stdout);

const report = z.object({
  check_type: z.string(),
  results: z.object({ failed_checks: z.array(z.object({ check_id: z.string() })) }),
  summary: z.object({ passed: z.number(), parsing_errors: z.number() }),
});
type Report = Readonly<z.infer<typeof report>>;

const runCheckov = async (files: readonly string[]): Promise<readonly Report[]> => {
  const printed = await jsonOf(
    checkov,
    ...['--skip-download', '--compact', '--quiet', '--output', 'json'],
    ...['--config-file', '.checkov.yaml', '--framework', 'cloudformation', 'secrets'],
    ...['--file', ...files],
  );
  // Without findings there is no report about secrets, and a single report is not in an array.
  return [z.union([z.array(report), report]).parse(printed)].flat();
};

const findingsOf = (runs: readonly Report[]): readonly string[] =>
  runs.flatMap(({ results }) => results.failed_checks.map(({ check_id: id }) => id)).toSorted();

/**
 * W3005 reports a DependsOn that a reference implies. CDK adds such ones to functions and the domain's
 * mapping. The alias needs its own, on the deployment group: CloudFormation does not document that a
 * reference in an UpdatePolicy orders an update.
 */
const ignored = 'W3005';

const lint = async (files: readonly string[]): Promise<readonly string[]> =>
  z
    .array(z.object({ Rule: z.object({ Id: z.string() }), Message: z.string() }))
    .parse(await jsonOf(cfnLint, '--ignore-checks', ignored, '--format', 'json', ...files))
    .map(({ Rule, Message }) => `${Rule.Id} ${Message}`);

describe('the templates of all stages, of prod with a domain, and of the deploy role,', () => {
  it('pass checkov', async ({ task }) => {
    const runs = await runCheckov(allTemplates());
    expect(findingsOf(runs)).toEqual([]);
    const [rules] = runs.filter(({ check_type: type }) => type === 'cloudformation');
    expect(rules?.summary.parsing_errors).toBe(0);
    task.meta.cases = rules?.summary.passed ?? 0;
    expect(task.meta.cases).toBeGreaterThan(100);
  });

  it('pass cfn-lint', async ({ task }) => {
    task.meta.cases = allTemplates().length;
    expect(await lint(allTemplates())).toEqual([]);
  });
});
