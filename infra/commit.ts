import { execFileSync } from 'node:child_process';

/** The commit of the checkout, followed by `-dirty` when files differ from it; `unknown` in a copy without Git. */
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
