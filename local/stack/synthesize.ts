import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { projectFolder } from '../../infra/bundle.ts';
import { UserError } from '../../terminal/user-error.ts';
import { bundle, bundlesFolder } from './bundle.ts';
import { readStack, type Stack } from './read-stack.ts';

const program = 'infra/local-stack.ts';
const outfile = join(bundlesFolder, 'stack.js');

/**
 * Runs the app of `infra/` for this machine, in a worker that ends with this process.
 * @throws {UserError} that says where the first error is
 */
export const synthesize = async (): Promise<Stack> => {
  await bundle({
    absWorkingDir: projectFolder,
    entryPoints: [program],
    outfile,
    bundle: true,
    platform: 'node',
    // An `import` of aws-cdk-lib reads all its exports, and so loads all of it; `require` loads what is used.
    format: 'cjs',
    packages: 'external',
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(projectFolder, program))) },
    sourcemap: 'inline',
    sourcesContent: false,
  });
  const worker = new Worker(outfile, {
    execArgv: ['--enable-source-maps'],
    env: { ...process.env, CDK_DEBUG: 'true' },
  });
  const template = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error) => {
      reject(new UserError(sentenceOf(error)));
    });
    worker.once('exit', () => {
      reject(new UserError(`${program} ended without a stack.`));
    });
  });
  return readStack(template, 'PlantStore-local');
};

/** The first line of an error's message, after its place in this project. */
const sentenceOf = (error: unknown): string => {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const [, place = program] = /\/((?:infra|table)\/[^\s:]+:\d+:\d+)/.exec(stack) ?? [];
  const [line = ''] = message.split('\n');
  return `${place}: ${line.replace(/\.?$/, '.')}`;
};
