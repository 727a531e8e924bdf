import { errorText } from '../shared/error-text.ts';
import type { Log, Problem } from './log.ts';

/** What CodeDeploy passes to a hook (AWS: “AppSpec 'hooks' section”). It does not say which version is released. */
export interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

export type HookStatus = 'Succeeded' | 'Failed';

export interface Dependencies {
  /** Checks the version that is released. */
  readonly check: () => Promise<Problem | undefined>;
  /** Tells CodeDeploy the result. */
  readonly report: (event: HookEvent, status: HookStatus) => Promise<void>;
  readonly log: Log;
}

/**
 * Checks the new version of a function before it gets traffic. It reports a failure for anything but success, because
 * CodeDeploy would wait an hour for a hook that reports nothing.
 */
export const runHook = async ({ check, report, log }: Dependencies, event: HookEvent): Promise<void> => {
  const problem = await check().catch((error: unknown): Problem => ({
    problem: 'not-invoked',
    cause: errorText(error),
  }));
  if (problem === undefined) log.info({ event: 'version-passed' });
  else log.error({ event: 'version-refused', ...problem });
  await report(event, problem === undefined ? 'Succeeded' : 'Failed');
};
