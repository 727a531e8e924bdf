import { execFileSync } from 'node:child_process';

/**
 * The commit that is synthesized: `DEPLOYED_COMMIT`, or else the checkout's, followed by `-dirty` when files differ from
 * it. It is `unknown` in a copy without Git.
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
