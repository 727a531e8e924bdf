import { runTool } from './tool.ts';

/** The interface description that callers rely on. */
export interface ReleasedDescription {
  /** The release's tag, or the commit. */
  readonly revision: string;
  readonly text: string;
}

/**
 * Finds the description at the last release tag; before the first release, that of the first commit that had one.
 * @throws {Error} one sentence when the folder's git history does not hold it
 */
export const releasedDescription = async (folder: string): Promise<ReleasedDescription> => {
  const git = async (...parameters: readonly string[]): Promise<string | undefined> => {
    const { succeeded, output } = await runTool('git', ['-C', folder, ...parameters]);
    return succeeded && output !== '' ? output.trim() : undefined;
  };
  if ((await git('rev-parse', '--is-shallow-repository')) !== 'false') {
    throw new Error(
      `${folder} is no git repository with its whole history, so the released description is unknown. Clone it without --depth, or run git fetch --unshallow --tags.`,
    );
  }
  const added = await git('log', '--reverse', '--diff-filter=A', '--format=%h', '--', 'openapi.yaml');
  const revision = (await git('describe', '--tags', '--abbrev=0', '--match', 'v*')) ?? added?.split('\n')[0];
  const text = revision === undefined ? undefined : await git('show', `${revision}:openapi.yaml`);
  if (revision === undefined || text === undefined) {
    throw new Error(`${revision ?? folder} has no openapi.yaml to compare with. Commit one.`);
  }
  return { revision, text };
};
