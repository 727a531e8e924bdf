import type { Deployment } from '../gateway/gateway.ts';
import { InvocationError } from './execution-environment.ts';
import { lambdaFunction } from './lambda-function.ts';
import type { FunctionDefinition, Stack } from '../stack/stack.ts';
import type { Store } from '../store/store.ts';
import { region } from '../stack/template.ts';

/** A deployment whose functions run in workers of this process. */
export interface LocalDeployment extends Deployment {
  /** Ends its workers once they are idle. */
  readonly retire: () => void;
}

/**
 * Starts the stack's functions.
 * @param overrides local values for variables that a function declares; others are not added
 */
export const deploy = (
  { api, functions }: Stack,
  store: Store,
  overrides: Readonly<Record<string, string>>,
): LocalDeployment => {
  const running = new Map(
    functions.map((definition) => [
      definition.id,
      lambdaFunction(definition, environmentOf(definition, store, overrides)),
    ]),
  );
  return {
    api,
    invoke: async (functionId, event) => {
      const target = running.get(functionId);
      if (target === undefined) throw new InvocationError('crashed', `There is no function ${functionId}.`);
      return target.invoke(event);
    },
    retire: () => {
      for (const each of running.values()) each.retire();
    },
  };
};

/** AWS: "Defined runtime environment variables"; the function's own; nothing else of this process's. */
const environmentOf = (
  { id, environment, memorySize, handler, codeFolder }: FunctionDefinition,
  { credentials }: Store,
  overrides: Readonly<Record<string, string>>,
): Record<string, string> => ({
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  ...(credentials.sessionToken !== undefined && { AWS_SESSION_TOKEN: credentials.sessionToken }),
  AWS_LAMBDA_FUNCTION_NAME: id,
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySize),
  AWS_LAMBDA_LOG_FORMAT: 'JSON',
  LAMBDA_TASK_ROOT: codeFolder,
  _HANDLER: handler,
  TZ: ':UTC',
  ...environment,
  ...Object.fromEntries(Object.entries(overrides).filter(([name]) => name in environment)),
});
