import { isatty } from 'node:tty';
import { localRegion, storeCredentials } from '../service-file.ts';
import type { BundledFunction } from '../stack/bundle.ts';
import { type LambdaFunction, lambdaFunction } from './lambda-function.ts';

/**
 * Invokes a function by its logical id.
 * @throws {InvocationError} when the function returned no result
 */
export type Invoke = (functionId: string, event: unknown) => Promise<unknown>;

/**
 * Makes the functions of a stack ready to run in workers of this process.
 * @param overrides local values for variables that a function declares; others are not added
 * @param onLog receives each line that a function logs
 */
export const startFunctions = (
  definitions: readonly BundledFunction[],
  overrides: Readonly<Record<string, string>>,
  onLog: (line: string) => void = console.log,
): Omit<LambdaFunction, 'invoke'> & { readonly invoke: Invoke } => {
  const functions = new Map(
    definitions.map((each) => [each.id, lambdaFunction(each, variablesOf(each, overrides), onLog)]),
  );
  const all = [...functions.values()];
  return {
    invoke: async (functionId, event) => functions.get(functionId)?.invoke(event),
    warmUp: () => Promise.all(all.map(({ warmUp }) => warmUp())),
    retire: () => {
      for (const { retire } of all) retire();
    },
  };
};

/** Lambda's environment variables that code reads, and the function's own; none of this process. */
const variablesOf = (
  { id, environment, memorySize }: BundledFunction,
  overrides: Readonly<Record<string, string>>,
): Record<string, string> => {
  const { accessKeyId, secretAccessKey, sessionToken } = storeCredentials();
  return {
    AWS_REGION: localRegion,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    ...(sessionToken !== undefined && { AWS_SESSION_TOKEN: sessionToken }),
    AWS_LAMBDA_FUNCTION_NAME: id,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySize),
    // Readable lines on a terminal, otherwise the JSON that Lambda writes.
    AWS_LAMBDA_LOG_FORMAT: isatty(1) ? 'Text' : 'JSON',
    ...environment,
    ...Object.fromEntries(Object.entries(overrides).filter(([name]) => name in environment)),
  };
};
