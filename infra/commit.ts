import { spawnSync } from 'node:child_process';

/** The checkout's commit, followed by `-dirty` when files differ from it; `unknown` without Git. */
export const checkedOutCommit = (): string => {
  const describe = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  const { status, stdout } = spawnSync('git', describe, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
};
