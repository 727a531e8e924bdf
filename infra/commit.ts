import { execFileSync } from 'node:child_process';

/**
 * The commit that is synthesized: `DEPLOYED_COMMIT`, or the checkout's, with `-dirty` behind it where files differ from
 * it; a copy without Git has none.
 */
export const deployedCommit = (): string => {
  const given = process.env['DEPLOYED_COMMIT'] ?? '';
  if (given !== '') return given;
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    }).trim();
  } catch {
    return 'unknown';
  }
};
