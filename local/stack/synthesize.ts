import { addAbortListener, once } from 'node:events';
import { url as debuggerUrl } from 'node:inspector';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { projectFolder } from '../../infra/bundle.ts';
import { UserError } from '../../cli/terminal/user-error.ts';
import { bundlesFolder } from '../service-file.ts';
import { bundle } from './bundle.ts';
import { readStack, type Stack } from './read-stack.ts';

const program = 'infra/local-stack.ts';
const outfile = join(bundlesFolder, 'stack.js');

/**
 * Runs the app of `infra/` in a worker that ends with this process or when the signal is aborted.
 * @throws {UserError} with the place of the first error
 */
export const synthesize = async (signal = AbortSignal.any([])): Promise<Stack> => {
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
  addAbortListener(signal, () => void worker.terminate());
  // An error after the stack was posted, or after the end of this synthesis, is ignored.
  worker.on('error', () => undefined);
  worker.once('exit', () => worker.emit('error', new Error('it ended without a stack')));
  const posted: readonly unknown[] = await once(worker, 'message', { signal }).catch((error: unknown) => {
    throw new UserError(sentenceOf(error));
  });
  return readStack(String(posted[0]), debuggerUrl() !== undefined);
};

/** The first line of an error's message, after its place in this project. */
const sentenceOf = (error: unknown): string => {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const [, place = program] = /\/((?:infra|table)\/(?!node_modules\/)[^\s:]+:\d+:\d+)/.exec(stack) ?? [];
  const [line = ''] = message.split('\n');
  return `${place}: ${line.replace(/\.?$/, '.')}`;
};
