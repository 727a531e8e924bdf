import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { z } from 'zod';
import { runTool } from '../tool.ts';
import { checkout, runnerEnvironment } from './runner.ts';

const texts = z.record(z.string(), z.string());
const stepSchema = z.object({
  if: z.string().default(''),
  uses: z.string().default(''),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: texts.default({}),
});

const jobSchema = z.object({
  needs: z.union([z.string().transform((job) => [job]), z.array(z.string())]).default([]),
  if: z.string().default(''),
  environment: z.union([z.string(), z.object({ name: z.string(), deployment: z.literal(false) })]).optional(),
  permissions: texts,
  concurrency: texts.default({}),
  strategy: z.object({ matrix: z.record(z.string(), z.array(z.string())) }).optional(),
  env: texts.default({}),
  /** The reusable workflow that it calls, in place of steps. */
  uses: z.string().optional(),
  with: texts.default({}),
  steps: z.array(stepSchema).default([]),
});
export type Job = Readonly<z.infer<typeof jobSchema>>;

const workflowSchema = z.object({
  permissions: texts,
  concurrency: texts.default({}),
  jobs: z.record(z.string(), jobSchema),
});

/** The text of a workflow in `.github/workflows`. */
export const workflowText = (name: string): string =>
  readFileSync(join(checkout, `.github/workflows/${name}.yml`), 'utf8');

/** A workflow, with the syntax that this project uses. */
export const readWorkflow = (name: string): Readonly<z.infer<typeof workflowSchema>> =>
  workflowSchema.parse(parse(workflowText(name)));

/** The contexts of GitHub's expressions, such as `inputs` and `vars`; a function replaces GitHub's own. */
export type Contexts = Readonly<Record<string, object>>;

/** To GitHub, a name without a value is an empty text. */
const lenient = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return new Proxy(value, { get: (target, name): unknown => lenient(Reflect.get(target, name) ?? '') });
};

const unset = { inputs: {}, secrets: {}, vars: {} };
const functions = {
  cancelled: () => false,
  contains: (list: readonly unknown[], item: unknown) => list.includes(item),
  format: (text: string, value: string) => text.replace('{0}', value),
  fromJSON: (text: string): unknown => JSON.parse(text),
};

/** The value of an expression. GitHub's syntax is JavaScript's, apart from hyphens in names. */
const valueOf = (expression: string, contexts: Contexts): unknown =>
  runInNewContext(
    expression.replaceAll(/\.(\w+(?:-\w+)+)/g, "['$1']"),
    mapValues({ ...functions, ...unset, ...contexts }, lenient),
  );

/** A text in which each expression is replaced by its value. */
export const evaluate = (text: string, contexts: Contexts): string =>
  text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => String(valueOf(expression, contexts)));

/** Whether a job or a step runs. Without a status function, it does so only after success. */
export const isMet = (condition: string, contexts: Contexts, succeeded = true): boolean => {
  const [, expression = condition] = /^\$\{\{ (.+) \}\}$/.exec(condition) ?? [];
  if (!succeeded && !expression.includes('cancelled()')) return false;
  return expression === '' || Boolean(valueOf(expression, contexts));
};

/** A job that the workflow must have. */
export const jobOf = (workflow: string, name: string): Job => {
  const job = readWorkflow(workflow).jobs[name];
  if (job === undefined) throw new Error(`The workflow has no job ${name}.`);
  return job;
};

/** Runs a job's command that has this text, in a folder, as GitHub's runner does. */
export const runCommand = (
  { env: ofJob, steps }: Job,
  text: string,
  contexts: Contexts,
  cwd: string,
  environment: Readonly<Record<string, string>>,
): ReturnType<typeof runTool> => {
  const [step] = steps.filter(({ run }) => run?.includes(text));
  if (step?.run === undefined) throw new Error(`The job has no command with ${text}.`);
  const own = mapValues({ ...ofJob, ...step.env }, (each) => evaluate(each, contexts));
  const env = { ...runnerEnvironment, ...environment, ...own };
  return runTool('bash', ['--norc', '-ec', evaluate(step.run, contexts)], { cwd, env });
};

const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
