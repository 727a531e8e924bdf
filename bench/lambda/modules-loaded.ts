import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { startEnvironment } from './execution-environment.ts';
import type { Candidate } from '../harness.ts';

/** The built-in modules of Node that a function loaded until its first response. */
export interface LoadedModules {
  /** Their number, including bindings. */
  readonly modulesLoaded: number;
  /** Whether undici is among them, the implementation of `fetch`: it alone takes 20 ms. */
  readonly loadsUndici: boolean;
}

const reporter = fileURLToPath(new URL('report-modules.cjs', import.meta.url));

/**
 * Counts the modules in a separate process, since reporting takes time.
 * @param scratch a folder for the report
 */
export const modulesLoadedBy = async (
  candidate: Candidate,
  event: string,
  scratch: string,
): Promise<LoadedModules> => {
  const file = join(scratch, 'modules.json');
  const variables = { ...candidate.variables, MODULES_FILE: file };
  const environment = await startEnvironment(
    { ...candidate, variables },
    { nodeArguments: ['--require', reporter] },
  );
  await environment.invoke(event);
  const exited = once(environment.process, 'exit');
  environment.process.kill('SIGUSR2');
  await exited;
  await environment.end();
  const modules = z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8')));
  return {
    modulesLoaded: modules.length,
    loadsUndici: modules.some((name) => name.includes('undici')),
  };
};
