import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from '@aws-sdk/client-codedeploy';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { variable } from '../shared/environment.ts';
import { logger } from '../shared/logger.ts';
import { checkAuthorizer } from './check-authorizer.ts';
import { checkOperation } from './check-operation.ts';
import { FailedCheck, type InvokeVersion, invokeVersion } from './invoke-version.ts';

/** The event of CodeDeploy (AWS: “AppSpec 'hooks' section”), which does not name the released version. */
interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

/** Deadlines in milliseconds, each with all retries. The function's timeout exceeds their sum. */
export const bounds = { check: 60_000, report: 30_000 } as const;

const { env } = process;
const lambda = new LambdaClient();
const codeDeploy = new CodeDeployClient();
const log = logger(console, env);
const version = {
  FunctionName: variable(env, 'TESTED_FUNCTION'),
  Qualifier: variable(env, 'TESTED_VERSION'),
};

/** Runs the check that the variable CHECK names. */
const check = (invoke: InvokeVersion): Promise<void> => {
  switch (variable(env, 'CHECK')) {
    case 'operation':
      return checkOperation(variable(env, 'ROUTE'), variable(env, 'WITHOUT_PLANTS'), invoke);
    case 'authorizer':
      return checkAuthorizer(variable(env, 'TOKEN_ALGORITHMS').split(','), invoke);
    default:
      throw new Error('Set the environment variable CHECK to operation or authorizer.');
  }
};

/**
 * Checks that a function's new version can start, and reach its table or issuer, before it gets traffic. Any
 * error is reported as a failure: without a report, CodeDeploy would wait an hour.
 */
export const handler = async ({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> => {
  let status: 'Succeeded' | 'Failed' = 'Failed';
  try {
    await check(invokeVersion(lambda, version, AbortSignal.timeout(bounds.check)));
    status = 'Succeeded';
    log.info({ event: 'version-passed' });
  } catch (error) {
    const { problem, cause } =
      error instanceof FailedCheck
        ? error
        : { problem: 'not-invoked', cause: error instanceof Error && error.name };
    log.error({ event: 'version-refused', problem, cause });
  }
  const command = new PutLifecycleEventHookExecutionStatusCommand({
    deploymentId: DeploymentId,
    lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
    status,
  });
  await codeDeploy.send(command, { abortSignal: AbortSignal.timeout(bounds.report) });
};
