import { localRegion, type StoreCredentials } from '../service-file.ts';
import type { FunctionDefinition } from '../stack/read-stack.ts';
import { InvocationError, type Invoke } from './invocation.ts';
import { lambdaFunction } from './lambda-function.ts';

/** Functions that run in workers of this process. */
export interface Functions {
  readonly invoke: Invoke;
  /** Ends the workers as they become idle. */
  readonly retire: () => void;
}

/** How the functions run on this machine. */
export interface FunctionsOptions {
  /** The keys that the functions sign requests with. */
  readonly credentials: StoreCredentials;
  /** Local values for variables that a function declares; others are not added. */
  readonly overrides: Readonly<Record<string, string>>;
  /** Receives each line that a function logs. */
  readonly onLog: (line: string) => void;
}

/** Starts the functions of a stack. */
export const startFunctions = (
  definitions: readonly FunctionDefinition[],
  { credentials, overrides, onLog }: FunctionsOptions,
): Functions => {
  const running = new Map(
    definitions.map((each) => [
      each.id,
      lambdaFunction(each, variablesOf(each, credentials, overrides), onLog),
    ]),
  );
  return {
    invoke: async (functionId, event) => {
      const target = running.get(functionId);
      if (target === undefined) throw new InvocationError(`There is no function ${functionId}.`);
      return target.invoke(event);
    },
    retire: () => {
      for (const each of running.values()) each.retire();
    },
  };
};

/** Lambda's variables (AWS: "Defined runtime environment variables") and the function's own, but none of this process. */
const variablesOf = (
  { id, environment, memorySize, handler, codeFolder }: FunctionDefinition,
  { accessKeyId, secretAccessKey, sessionToken }: StoreCredentials,
  overrides: Readonly<Record<string, string>>,
): Record<string, string> => ({
  AWS_REGION: localRegion,
  AWS_DEFAULT_REGION: localRegion,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  ...(sessionToken !== undefined && { AWS_SESSION_TOKEN: sessionToken }),
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
