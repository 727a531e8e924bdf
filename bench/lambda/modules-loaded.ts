import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Candidate } from '../bundle.ts';
import type { ColdStart } from '../results.ts';
import { startEnvironment } from './execution-environment.ts';

const reporter = fileURLToPath(new URL('report-modules.cjs', import.meta.url));

/**
 * Counts the built-in modules of Node that a function loads until its first response, in a separate process, since
 * reporting takes time.
 */
export const modulesLoadedBy = async (
  candidate: Candidate,
  event: string,
): Promise<Pick<ColdStart, 'modulesLoaded' | 'loadsUndici'>> => {
  const variables = { ...candidate.variables, NODE_OPTIONS: `--require "${reporter}"` };
  const environment = await startEnvironment({ ...candidate, variables });
  await environment.invoke(event);
  await environment.end('SIGUSR2');
  const modules = z
    .array(z.string())
    .parse(JSON.parse(readFileSync(join(candidate.folder, 'modules.json'), 'utf8')));
  return {
    modulesLoaded: modules.length,
    loadsUndici: modules.some((name) => name.includes('undici')),
  };
};
