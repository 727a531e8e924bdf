import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { runTool } from '../tool.ts';

const variables = z.record(z.string(), z.string()).default({});

const stepSchema = z.object({
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: variables,
});

const oneOrMore = z.union([z.string().transform((name) => [name]), z.array(z.string())]).default([]);

const jobSchema = z.object({
  needs: oneOrMore,
  if: z.string().default(''),
  environment: z
    .union([
      z.string(),
      z.object({ name: z.string(), deployment: z.literal(false) }).transform(({ name }) => name),
    ])
    .optional(),
  permissions: z.record(z.string(), z.string()),
  concurrency: z.object({ group: z.string(), 'cancel-in-progress': z.string() }).optional(),
  strategy: z.object({ matrix: z.record(z.string(), z.union([z.string(), z.array(z.string())])) }).optional(),
  env: variables,
  /** The reusable workflow that it calls, in place of steps. */
  uses: z.string().optional(),
  with: z.record(z.string(), z.string()).default({}),
  steps: z.array(stepSchema).default([]),
});

const workflowSchema = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(z.string(), jobSchema),
});

/** A GitHub Actions workflow, with the syntax that this project uses. */
export type Workflow = Readonly<z.infer<typeof workflowSchema>>;
export type Job = Readonly<z.infer<typeof jobSchema>>;

/** The text of a workflow in `.github/workflows`. */
export const workflowText = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../.github/workflows/${name}.yml`, import.meta.url)), 'utf8');

export const readWorkflow = (name: string): Workflow => workflowSchema.parse(parse(workflowText(name)));

/** A job that the workflow must have. */
export const jobOf = (workflow: Workflow, name: string): Job => {
  const job = workflow.jobs[name];
  if (job === undefined) throw new Error(`The workflow has no job ${name}.`);
  return job;
};

/** The result of a step. */
export interface StepResult {
  readonly run: string;
  readonly ok: boolean;
  /** What it printed, on both streams. */
  readonly output: string;
  /** The outputs that it set for later steps and jobs, one per line. */
  readonly outputs: string;
}

/** Where a job's commands run. */
export interface Runner {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Where the runner keeps its files, apart from the checkout. */
  readonly temporary: string;
  /** The values of the expressions (`${{ ... }}`) in the commands' environment. */
  readonly expressions: Readonly<Record<string, string>>;
}

/** Runs a job's commands as GitHub's runner does, until one fails. Actions do not run. */
export const runSteps = async (
  job: Job,
  { folder, temporary, environment, expressions }: Runner,
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
    const script = join(temporary, 'step.sh');
    const outputs = join(temporary, 'outputs');
    writeFileSync(script, run);
    writeFileSync(outputs, '');
    const files = { RUNNER_TEMP: temporary, GITHUB_OUTPUT: outputs };
    const { succeeded: ok, output } = await runTool('bash', ['--noprofile', '--norc', '-e', script], {
      cwd: folder,
      env: { ...environment, ...files, ...evaluated({ ...job.env, ...env }) },
    });
    results.push({ run, ok, output, outputs: readFileSync(outputs, 'utf8') });
    if (!ok) break;
  }
  return results;
};
