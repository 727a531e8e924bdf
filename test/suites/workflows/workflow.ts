import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { z } from 'zod';
import { runTool } from '../tool.ts';
import { checkout, pathWith, runnerEnvironment } from './runner.ts';

const texts = z.record(z.string(), z.string());

/** What the tests use by name; the rest is as in the file. actionlint checks the syntax. */
const stepSchema = z.looseObject({
  if: z.string().default(''),
  uses: z.string().default(''),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: texts.default({}),
});
const jobSchema = z.looseObject({
  if: z.string().default(''),
  env: texts.default({}),
  steps: z.array(stepSchema).default([]),
});
export type Job = Readonly<z.infer<typeof jobSchema>>;

const workflowSchema = z.looseObject({ jobs: z.record(z.string(), jobSchema) });

/** The text of a workflow in `.github/workflows`. */
export const workflowText = (name: string): string =>
  readFileSync(join(checkout, `.github/workflows/${name}.yml`), 'utf8');

export const readWorkflow = (name: string): Readonly<z.infer<typeof workflowSchema>> =>
  workflowSchema.parse(parse(workflowText(name)));

/** A job that the workflow must have. */
export const jobOf = (workflow: string, name: string): Job =>
  jobSchema.parse(readWorkflow(workflow).jobs[name]);

/** The contexts of GitHub's expressions, such as `inputs` and `vars`; a function replaces GitHub's own. */
export type Contexts = Readonly<Record<string, object>>;

const defaults: Contexts = {
  ...{ inputs: {}, secrets: {}, vars: {} },
  cancelled: () => false,
  contains: (list: readonly unknown[], item: unknown) => list.includes(item),
  format: (text: string, value: string) => text.replace('{0}', value),
  fromJSON: (text: string): unknown => JSON.parse(text),
};

/** GitHub's syntax is JavaScript's, apart from hyphens in names. An unknown name is an empty text. */
const valueOf = (expression: string, contexts: Contexts): unknown =>
  runInNewContext(expression.replaceAll(/\.(\w+(?:-\w+)+)/g, "['$1']"), { ...defaults, ...contexts }) ?? '';

/** A part of a workflow in which each expression is replaced by its value. */
export const evaluate = (part: unknown, contexts: Contexts): unknown =>
  JSON.parse(JSON.stringify(part), (_, each: unknown) => {
    if (typeof each !== 'string') return each;
    return each.replaceAll(/\$\{\{ (.+?) \}\}/g, (_match, expression: string) =>
      String(valueOf(expression, contexts)),
    );
  });

/** Whether a job or a step runs. Without a status function, it does so only after success. */
export const isMet = (condition: string, contexts: Contexts, succeeded = true): boolean => {
  const [, expression = condition] = /^\$\{\{ (.+) \}\}$/.exec(condition) ?? [];
  if (!succeeded && !expression.includes('cancelled()')) return false;
  return expression === '' || Boolean(valueOf(expression, contexts));
};

/** Runs a job's command that has this text, in a folder, as GitHub's runner does. */
export const runCommand = (
  job: Job,
  text: string,
  contexts: Contexts,
  cwd: string,
  commands: Readonly<Record<string, string>>,
): ReturnType<typeof runTool> => {
  const step = job.steps.find(({ run }) => run?.includes(text));
  const own = texts.parse(evaluate({ ...job.env, ...step?.env }, contexts));
  const env = { ...runnerEnvironment, PATH: pathWith(commands), ...own };
  const command = z.string().parse(evaluate(step?.run, contexts));
  return runTool('bash', ['--norc', '-ec', command], { cwd, env });
};
