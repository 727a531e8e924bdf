import { localRegion, type StoreCredentials } from '../service-file.ts';
import type { BundledFunction } from '../stack/bundle.ts';
import { InvocationError, type Invoke } from './invocation.ts';
import type { LogFormat } from './log-line.ts';
import { lambdaFunction } from './lambda-function.ts';

/** Functions that run in workers of this process. */
export interface Functions {
  readonly invoke: Invoke;
  /** Starts an environment of each function for its first invocation, and waits until they are loaded or ended. */
  readonly warmUp: () => Promise<unknown>;
  /** Ends the workers as they become idle. */
  readonly retire: () => void;
}

/** How the functions run on this machine. */
export interface FunctionsOptions {
  /** The keys that the functions sign requests with. */
  readonly credentials: StoreCredentials;
  /** Local values for variables that a function declares; others are not added. */
  readonly overrides: Readonly<Record<string, string>>;
  /** Receives each line that a function logs: for a person, or the JSON that Lambda writes. */
  readonly onLog: (line: string) => void;
  readonly logFormat?: LogFormat;
}

/** Starts the functions of a stack. */
export const startFunctions = (
  definitions: readonly BundledFunction[],
  { credentials, overrides, onLog, logFormat }: FunctionsOptions,
): Functions => {
  const running = new Map(
    definitions.map((each) => [
      each.id,
      lambdaFunction(each, variablesOf(each, credentials, overrides), onLog, logFormat),
    ]),
  );
  return {
    invoke: async (functionId, event) => {
      const target = running.get(functionId);
      if (target === undefined) throw new InvocationError(`There is no function ${functionId}.`);
      return target.invoke(event);
    },
    warmUp: () => Promise.all([...running.values()].map((each) => each.warmUp())),
    retire: () => {
      for (const each of running.values()) each.retire();
    },
  };
};

/** Lambda's variables (AWS: "Defined runtime environment variables") and the function's own, but none of this process. */
const variablesOf = (
  { id, environment, memorySize, handler, codeFolder }: BundledFunction,
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
