import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { runTool } from './tool.ts';

const variables = z.record(z.string(), z.string()).default({});

const stepSchema = z.object({
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: variables,
});

const jobSchema = z.object({
  needs: z.string().optional(),
  environment: z.string().optional(),
  permissions: z.record(z.string(), z.string()),
  'timeout-minutes': z.number(),
  strategy: z.object({ matrix: z.record(z.string(), z.array(z.string())) }).optional(),
  env: variables,
  steps: z.array(stepSchema),
});

const workflowSchema = z.object({
  permissions: z.record(z.string(), z.string()),
  concurrency: z.object({ 'cancel-in-progress': z.unknown() }),
  defaults: z.object({ run: z.object({ shell: z.literal('bash') }) }),
  env: variables,
  jobs: z.record(z.string(), jobSchema),
});

/** A GitHub Actions workflow, with the syntax that this project uses. */
export type Workflow = Readonly<z.infer<typeof workflowSchema>>;
export type Job = Readonly<z.infer<typeof jobSchema>>;

/** The text of a workflow in `.github/workflows`. */
export const workflowText = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../.github/workflows/${name}.yml`, import.meta.url)), 'utf8');

export const readWorkflow = (name: string): Workflow => workflowSchema.parse(parse(workflowText(name)));

/** The result of a step. */
export interface StepResult {
  readonly run: string;
  readonly ok: boolean;
  /** What it printed, on both streams. */
  readonly output: string;
}

/** Where a job's commands run. */
export interface Runner {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The values of the expressions (`${{ ... }}`) in the commands' environment. */
  readonly expressions: Readonly<Record<string, string>>;
}

/** Runs a job's commands as GitHub's runner does, until one fails. Actions do not run. */
export const runSteps = async (
  workflow: Workflow,
  job: Job,
  { folder, environment, expressions }: Runner,
): Promise<readonly StepResult[]> => {
  const evaluated = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, text]) => [
        name,
        text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
          const value = expressions[expression];
          if (value === undefined) throw new Error(`There is no value for the expression ${expression}.`);
          return value;
        }),
      ]),
    );
  const results: StepResult[] = [];
  for (const { run, env } of job.steps) {
    if (run === undefined) continue;
    const script = join(folder, 'step.sh');
    writeFileSync(script, run);
    const { succeeded: ok, output } = await runTool(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', script],
      { cwd: folder, env: { ...environment, ...evaluated({ ...workflow.env, ...job.env, ...env }) } },
    );
    results.push({ run, ok, output });
    if (!ok) break;
  }
  return results;
};
