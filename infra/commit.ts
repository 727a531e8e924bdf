import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Stage, StageError } from './stage-settings.ts';

/**
 * The checkout's commit, followed by `-dirty` when files differ from it; `unknown` outside a Git repository.
 * If Git fails for another reason, such as a folder of another owner, it warns and returns `unknown`.
 * @throws {StageError} in that case, if one of the stages keeps its data: its deployments must be traceable
 */
export const commitFor = (stages: readonly Stage[]): string => {
  const describe = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  // The hook of another repository sets these for its own.
  const inherited = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };
  const env = { ...process.env, ...inherited, LC_ALL: 'C' };
  const { status, stdout, stderr, error } = spawnSync('git', describe, { encoding: 'utf8', env });
  if (status === 0) return stdout.trim();
  const reason = /^fatal: (.*)/m.exec(stderr)?.[1] ?? error?.message ?? stderr.trim();
  if (reason.startsWith('not a git repository') && !existsSync('.git')) return 'unknown';
  const [kept] = stages.filter(({ data }) => data === 'protected');
  if (kept !== undefined) {
    throw new StageError(
      `Stage "${kept.name}" keeps its data, so the output Commit must name its commit, but Git fails: ` +
        `${reason}. Correct that, or choose another stage with --context stage=NAME.`,
    );
  }
  console.error(`Warning: the output Commit is "unknown", because Git fails: ${reason}.`);
  return 'unknown';
};
