import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../functions/pre-traffic-hook/log.ts';
import { runHook } from '../../../functions/pre-traffic-hook/run-hook.ts';
import { recordingLog } from '../../support/recording-log.ts';

const event = { DeploymentId: 'd-EXAMPLE', LifecycleEventHookExecutionId: 'execution' };

/** What the hook reports and logs when its check ends like this. */
const outcomeOf = async (check: () => Promise<Problem | undefined>): Promise<unknown> => {
  const log = recordingLog();
  const reports: unknown[] = [];
  const report = (...each: readonly unknown[]): Promise<void> => {
    reports.push(each);
    return Promise.resolve();
  };
  await runHook({ check, report, log }, event);
  return { reports, entries: log.entries };
};

describe('the hook tells CodeDeploy', () => {
  it('to go on, when the version passed', async () => {
    expect(await outcomeOf(() => Promise.resolve(undefined))).toEqual({
      reports: [[event, 'Succeeded']],
      entries: [['info', { event: 'version-passed' }]],
    });
  });

  it('to stop, when it found a problem, and logs which', async () => {
    expect(await outcomeOf(() => Promise.resolve({ problem: 'not-denied', cause: 'x' }))).toEqual({
      reports: [[event, 'Failed']],
      entries: [['error', { event: 'version-refused', problem: 'not-denied', cause: 'x' }]],
    });
  });

  it('to stop, when the version could not be invoked', async () => {
    const refused = Object.assign(new Error('secret'), { code: 'AccessDeniedException' });
    expect(await outcomeOf(() => Promise.reject(refused))).toEqual({
      reports: [[event, 'Failed']],
      entries: [
        ['error', { event: 'version-refused', problem: 'not-invoked', cause: 'AccessDeniedException' }],
      ],
    });
  });
});
