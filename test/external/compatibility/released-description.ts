import { runTool } from '../tool.ts';

/** The interface description that callers rely on. */
export interface ReleasedDescription {
  readonly text: string;
  /** What it is, as a sentence for the result of the run. */
  readonly note: string;
}

/**
 * Finds the description at the highest release tag before this commit, or at the first commit that has one if there is no release yet.
 * @throws {Error} one sentence when the folder's git history does not contain it
 */
export const releasedDescription = async (folder: string): Promise<ReleasedDescription> => {
  const git = async (...parameters: readonly string[]): Promise<string | undefined> => {
    const { succeeded, output } = await runTool('git', ['-C', folder, ...parameters]);
    return succeeded && output !== '' ? output.trim() : undefined;
  };
  if ((await git('rev-parse', '--is-shallow-repository')) !== 'false') {
    throw new Error(
      `${folder} is not a git repository with its whole history, so the released description is unknown. Clone it without --depth, or run git fetch --unshallow --tags.`,
    );
  }
  const tags = await git('tag', '--merged', 'HEAD', '--sort=-version:refname');
  const tag = tags?.split('\n').find((name) => /^v\d+\.\d+\.\d+$/.test(name));
  const added = await git('log', '--reverse', '--diff-filter=A', '--format=%h', '--', 'openapi.yaml');
  const revision = tag ?? added?.split('\n')[0];
  const text = revision === undefined ? undefined : await git('show', `${revision}:openapi.yaml`);
  if (revision === undefined || text === undefined) {
    throw new Error(`${revision ?? folder} has no openapi.yaml to compare with. Commit one.`);
  }
  return {
    text,
    note:
      tag === undefined
        ? `There is no release tag yet: compared with commit ${revision}, the first with an openapi.yaml.`
        : `Compared with release ${tag}.`,
  };
};
