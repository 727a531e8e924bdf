import { randomUUID } from 'node:crypto';
import { CodeDeployClient, PutLifecycleEventHookExecutionStatusCommand } from '@aws-sdk/client-codedeploy';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { variable } from '../shared/environment.ts';
import { logger } from '../shared/logger.ts';

/** What CodeDeploy passes to a hook (AWS: “AppSpec 'hooks' section”). It does not say which version is released. */
export interface HookEvent {
  readonly DeploymentId: string;
  readonly LifecycleEventHookExecutionId: string;
}

/** The new version gets no traffic. The cause is the error's type, or the response's status and error value. */
class Refusal extends Error {
  readonly problem: string;

  constructor(problem: string, cause: string) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/** How long all attempts take together, in milliseconds. The timeout of the function is longer than both. */
export const bounds = { check: 60_000, report: 30_000 } as const;

const lambda = new LambdaClient();
const codeDeploy = new CodeDeployClient();
const log = logger(console, process.env);
const version = {
  FunctionName: variable(process.env, 'TESTED_FUNCTION'),
  Qualifier: variable(process.env, 'TESTED_VERSION'),
};
// Only the authorizer's hook has the algorithms that the stage accepts.
const [algorithm = ''] = (process.env['TOKEN_ALGORITHMS'] ?? '').split(',');

/** The fields of an object; of anything else, none. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** The fields of an object in JSON; of any other text, none. The log's tail can begin in the middle of a line. */
const fieldsIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
};

/** What the new version returns for an event, and the entries that it logged last. */
const invoke = async (event: object, abortSignal: AbortSignal) => {
  const command = new InvokeCommand({ ...version, LogType: 'Tail', Payload: JSON.stringify(event) });
  const { Payload = '', FunctionError, LogResult = '' } = await lambda.send(command, { abortSignal });
  const result = fieldsIn(Buffer.from(Payload).toString());
  if (FunctionError !== undefined) {
    const { errorType } = result;
    throw new Refusal('function-error', typeof errorType === 'string' ? errorType : FunctionError);
  }
  const lines = Buffer.from(LogResult, 'base64').toString().split('\n');
  return { result, entries: lines.map((line) => fieldsOf(fieldsIn(line)['message'])) };
};

/** The list function learns from the table that nobody has no plants, and refuses a request without a caller. */
const checkListPlants = async (signal: AbortSignal): Promise<void> => {
  const respondTo = async (requestContext: object) => {
    const event = { version: '2.0', rawQueryString: '', headers: {}, requestContext };
    const { statusCode, body } = (await invoke(event, signal)).result;
    const error = fieldsIn(String(body))['error'];
    // Nothing else of the body, which can hold plants.
    return { statusCode, body, error, summary: `status ${String(statusCode)}, error ${String(error)}` };
  };
  const nobody = { subject: `pre-traffic-${randomUUID()}`, groups: [], expiresAt: Date.now() / 1000 + 300 };
  const list = await respondTo({ authorizer: { lambda: nobody } });
  if (list.statusCode !== 200 || list.body !== '[]') throw new Refusal('not-an-empty-list', list.summary);
  const refusal = await respondTo({});
  if (refusal.statusCode !== 401 || refusal.error !== 1004) throw new Refusal('not-refused', refusal.summary);
};

/** The authorizer denies a token that nobody signed, because its key is unknown: only the issuer's key set can tell it so. */
const checkAuthorizer = async (signal: AbortSignal): Promise<void> => {
  const kid = `pre-traffic-${randomUUID()}`;
  const token = [JSON.stringify({ alg: algorithm, kid, typ: 'at+jwt' }), '{}', Buffer.alloc(64)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
  const event = { version: '2.0', type: 'REQUEST', identitySource: [`Bearer ${token}`] };
  const { result, entries } = await invoke(event, signal);
  if (result['isAuthorized'] !== false) throw new Refusal('not-denied', String(result['isAuthorized']));
  const denials = entries.filter((entry) => entry['event'] === 'denied');
  if (!denials.some((entry) => entry['reason'] === 'unknown-key' && entry['kid'] === kid)) {
    throw new Refusal('denied-for-another-reason', denials.map(({ reason }) => String(reason)).join());
  }
};

/**
 * Checks the new version of a function before it gets traffic: that it can start, and reach its table or issuer. It reports
 * a failure for anything but success, because CodeDeploy would wait an hour for a hook that reports nothing.
 */
export const handler = async ({ DeploymentId, LifecycleEventHookExecutionId }: HookEvent): Promise<void> => {
  let status: 'Succeeded' | 'Failed' = 'Failed';
  try {
    await (algorithm === '' ? checkListPlants : checkAuthorizer)(AbortSignal.timeout(bounds.check));
    status = 'Succeeded';
    log.info({ event: 'version-passed' });
  } catch (error) {
    const { problem, cause } =
      error instanceof Refusal
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
