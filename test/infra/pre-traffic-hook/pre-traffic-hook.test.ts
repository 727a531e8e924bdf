import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hookEvent, type Releases, startReleases } from './release.ts';
import { versions } from './versions.ts';

describe('a new version before it gets traffic', () => {
  let releases: Releases;
  beforeAll(async () => {
    releases = await startReleases();
  });
  afterAll(() => releases.stop());

  it.each(versions)('$folder, $name: $problem', async (version) => {
    const { problem } = version;
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
  });
});
