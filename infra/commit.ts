import { execFileSync } from 'node:child_process';

/** The checkout's commit, followed by `-dirty` when files differ from it; `unknown` without Git. */
export const checkedOutCommit = (): string => {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    }).trim();
  } catch {
    return 'unknown';
  }
};
