import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDocument, sectionsOf } from '../../support/markdown.ts';
import { hookEvent, type Releases, startReleases } from './release.ts';
import { type Version, versions } from './versions.ts';

const outcomeOf = ({ problem }: Version): string => (problem === undefined ? 'gets traffic' : 'stopped');

/** The rows of the document's table, without its head. */
const documented = (
  new Map(sectionsOf(readDocument('docs/pipeline.md'), 2)).get('What a release must pass') ?? ''
)
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('a new version before it gets traffic', () => {
  let releases: Releases;
  beforeAll(async () => {
    releases = await startReleases();
  });
  afterAll(() => releases.stop());

  it.each(versions.map((version) => ({ ...version, outcome: outcomeOf(version), version })))(
    '$folder, $name: $outcome',
    async ({ version, problem }) => {
      const { statuses, entry } = await releases.release(version);
      expect(statuses).toEqual([
        {
          deploymentId: hookEvent.DeploymentId,
          lifecycleEventHookExecutionId: hookEvent.LifecycleEventHookExecutionId,
          status: problem === undefined ? 'Succeeded' : 'Failed',
        },
      ]);
      expect(entry).toMatchObject(
        problem === undefined ? { event: 'version-passed' } : { event: 'version-refused', problem },
      );
    },
  );

  it('is stopped in the cases that the document names', () => {
    expect(documented).toEqual(
      versions.map((version) => {
        const { folder, name, problem } = version;
        return [`\`${folder}\``, name, outcomeOf(version), problem === undefined ? '' : `\`${problem}\``];
      }),
    );
  });
});
