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

/** In milliseconds, with all retries. The function's timeout exceeds the sum of both deadlines. */
export const deadlines = { checks: 60_000, report: 30_000 } as const;

/**
 * Invokes a function's new version with the events of its checks before it gets traffic, and compares the
 * results. Any error is reported as a failure, because CodeDeploy would wait an hour for a missing report.
 */
export const handler = async ({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> => {
  const log = logger(console, process.env);
  const failure = await checkVersion(AbortSignal.timeout(deadlines.checks)).catch((error: unknown) => ({
    cause: errorName(error),
  }));
  if (failure === undefined) log.info({ event: 'version-passed' });
  else log.error({ event: 'version-refused', ...failure });
  const command = new PutLifecycleEventHookExecutionStatusCommand({
    deploymentId: DeploymentId,
    lifecycleEventHookExecutionId: LifecycleEventHookExecutionId,
    status: failure === undefined ? 'Succeeded' : 'Failed',
  });
  await new CodeDeployClient().send(command, { abortSignal: AbortSignal.timeout(deadlines.report) });
};

/** An event, and the values that the result must have (infra/version-checks.ts). */
interface Check {
  readonly event: JsonObject;
  readonly expected: JsonObject;
}

/**
 * Returns the expected and the actual result of the first check that the version fails, or undefined if the
 * version passes all checks.
 */
const checkVersion = async (signal: AbortSignal): Promise<object | undefined> => {
  const lambda = new LambdaClient();
  for (const { event, expected } of parseChecks(variable(process.env, 'CHECKS'))) {
    const actual = await invoke(lambda, event, signal);
    const isExpected = Object.entries(expected).every(([name, value]) => actual[name] === value);
    if (isExpected) continue;
    const { statusCode, error, isAuthorized, errorType } = actual;
    // The body is left out of the log, because it can hold plants.
    return { expected, actual: { statusCode, error, isAuthorized, errorType } };
  }
  return undefined;
};

/** @throws {Error} unless a JSON text is a list of one or more checks */
const parseChecks = (json: string): readonly Check[] => {
  const checks: unknown = JSON.parse(json);
  const isComplete = Array.isArray(checks) && checks.length > 0 && checks.every(isCheck);
  // The log has only the error's code.
  if (!isComplete) throw Object.assign(new Error(), { code: 'InvalidChecks' });
  return checks;
};

/** A check must expect at least one value, because otherwise it would pass every version. */
const isCheck = (value: unknown): value is Check =>
  isJsonObject(value) &&
  isJsonObject(value['event']) &&
  isJsonObject(value['expected']) &&
  Object.keys(value['expected']).length > 0;

/**
 * Returns the new version's result for an event, with the `error` of its body, if the body has one. If the
 * version throws or times out, the result has an `errorType` in place of the expected values.
 */
const invoke = async (
  lambda: LambdaClient,
  event: JsonObject,
  abortSignal: AbortSignal,
): Promise<JsonObject> => {
  const command = new InvokeCommand({
    FunctionName: variable(process.env, 'TESTED_FUNCTION'),
    Qualifier: variable(process.env, 'TESTED_VERSION'),
    Payload: JSON.stringify(event),
  });
  const { Payload = [] } = await lambda.send(command, { abortSignal });
  const result = objectIn(Buffer.from(Payload).toString());
  const { error } = objectIn(result['body']);
  return { ...result, error };
};

/** The object in a JSON text; an empty object for anything else, such as the empty body of a 204. */
const objectIn = (text: unknown): JsonObject => {
  const value: unknown = typeof text === 'string' && text !== '' ? JSON.parse(text) : undefined;
  return isJsonObject(value) ? value : {};
};
