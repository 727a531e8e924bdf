import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Stage, StageError } from './stage-type.ts';

/**
 * The checkout's commit, followed by `-dirty` when files differ from it; `unknown` in a copy without `.git`,
 * such as an archive. If Git fails, as in a folder of another owner, it warns and returns `unknown`.
 * @throws {StageError} if Git fails and a stage keeps its data, because its deployments must be traceable
 */
export const commitFor = (stages: readonly Stage[]): string => {
  if (!existsSync('.git')) return 'unknown';
  const describe = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  // Git sets these variables in a Git hook. In the hook of another repository, they point to that repository.
  const unset = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };
  // If `.git` is damaged, Git would look for a repository around the checkout.
  const ceiling = { GIT_CEILING_DIRECTORIES: dirname(process.cwd()) };
  const env = { ...process.env, ...unset, ...ceiling, LC_ALL: 'C' };
  const { status, stdout, stderr, error } = spawnSync('git', describe, { encoding: 'utf8', env });
  if (status === 0) return stdout.trim();
  const reason = /^fatal: (.*)/m.exec(stderr)?.[1] ?? error?.message ?? stderr.trim();
  const protectedStage = stages.find(({ data }) => data === 'protected');
  if (protectedStage !== undefined) {
    throw new StageError(
      `Stage "${protectedStage.name}" keeps its data, so the output Commit must name its commit, but Git ` +
        `fails: ${reason}. Correct the problem, or choose another stage with --context stage=NAME.`,
    );
  }
  console.error(`Warning: the output Commit is "unknown", because Git fails: ${reason}.`);
  return 'unknown';
};
