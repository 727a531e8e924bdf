import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from '@aws-sdk/client-codedeploy';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { variable } from '../runtime/environment.ts';
import { errorName } from '../runtime/error-name.ts';
import { isJsonObject, type JsonObject } from '../runtime/json-object.ts';
import { logger } from '../runtime/logger.ts';

/** The event of CodeDeploy (AWS: “AppSpec 'hooks' section”), which does not name the released version. */
interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

/** Deadlines in milliseconds, each with all retries. The function's timeout exceeds their sum. */
export const bounds = { checks: 60_000, report: 30_000 } as const;

/**
 * Invokes a function's new version with the events of its checks before it gets traffic, and compares the
 * results. Any error is reported as a failure: without a report, CodeDeploy would wait an hour.
 */
export const handler = async ({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> => {
  const log = logger(console, process.env);
  const failure = await checkVersion(AbortSignal.timeout(bounds.checks)).catch((error: unknown) => ({
    cause: errorName(error),
  }));
  if (failure === undefined) log.info({ event: 'version-passed' });
  else log.error({ event: 'version-refused', ...failure });
  const command = new PutLifecycleEventHookExecutionStatusCommand({
    deploymentId: DeploymentId,
    lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
    status: failure === undefined ? 'Succeeded' : 'Failed',
  });
  await new CodeDeployClient().send(command, { abortSignal: AbortSignal.timeout(bounds.report) });
};

/** An event, and the values that the result must have (infra/release.ts). */
interface Check {
  readonly event: JsonObject;
  readonly expected: JsonObject;
}

/** Without expected values, a check would pass every version. */
const isCheck = (value: unknown): value is Check =>
  isJsonObject(value) &&
  isJsonObject(value['event']) &&
  isJsonObject(value['expected']) &&
  Object.keys(value['expected']).length > 0;

/** The first check that a version fails by an error, a timeout or another result; undefined: none. */
const checkVersion = async (abortSignal: AbortSignal): Promise<object | undefined> => {
  const { env } = process;
  const lambda = new LambdaClient();
  const version = {
    FunctionName: variable(env, 'TESTED_FUNCTION'),
    Qualifier: variable(env, 'TESTED_VERSION'),
  };
  const checks: unknown = JSON.parse(variable(env, 'CHECKS'));
  const isComplete = Array.isArray(checks) && checks.length > 0 && checks.every(isCheck);
  if (!isComplete) throw new Error('CHECKS is not a list of checks.');
  for (const { event, expected } of checks) {
    const command = new InvokeCommand({ ...version, Payload: JSON.stringify(event) });
    const { Payload = [], FunctionError } = await lambda.send(command, { abortSignal });
    const result = objectIn(Buffer.from(Payload).toString());
    const actual: JsonObject = { ...result, error: objectIn(result['body'])['error'] };
    const isExpected = Object.entries(expected).every(([name, value]) => actual[name] === value);
    if (FunctionError === undefined && isExpected) continue;
    const { statusCode, error, isAuthorized, errorType } = actual;
    // Without the body, which can hold plants.
    return { expected, actual: { statusCode, error, isAuthorized, errorType } };
  }
  return undefined;
};

/** The object in a JSON text, or an empty one. */
const objectIn = (text: unknown): JsonObject => {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
  return isJsonObject(value) ? value : {};
};
