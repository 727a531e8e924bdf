// Composes the handlers for the process that runs them. No other file in local/ imports code of functions/.
import { unexpectedErrors } from '../functions/http/unexpected-errors.ts';
import { operations } from '../infra/operations.ts';
import * as timeouts from '../infra/timeouts.ts';
import { printError, writeJsonLog } from './lambda/json-console.ts';
import { lambdaFunction } from './lambda/invoke.ts';

writeJsonLog();
unexpectedErrors.subscribe(printError);

const authorizer = 'authorizer';
const timeoutsByFolder = new Map([
  [authorizer, timeouts.authorizerTimeoutSeconds],
  ...operations.map(({ folder }) => [folder, timeouts.operationTimeoutSeconds] as const),
]);
/** The functions by their folders. */
const functions = new Map(
  await Array.fromAsync(timeoutsByFolder, async ([folder, timeoutSeconds]) => {
    const module: unknown = await import(`../functions/${folder}/handler.ts`);
    return [folder, lambdaFunction(folder, module, timeoutSeconds)] as const;
  }),
);

/** The routes and the authorizer of the gateway, which runs in another process. */
export const api = {
  routes: operations.map(({ route: key, folder }) => ({ key, folder })),
  authorizer,
  authorizerCacheSeconds: timeouts.authorizerCacheSeconds,
};

/** Warms all functions up, as each function on Lambda does before its first invocation. */
export const warmUp = async (): Promise<void> => {
  await Promise.all([...functions.values()].map(({ warmUp }) => warmUp()));
};

/** Runs the function of a folder with an event. */
export const invoke = async (folder: string, event: unknown): Promise<unknown> => {
  const lambda = functions.get(folder);
  if (lambda === undefined) throw new Error(`functions/${folder} is not the folder of an operation.`);
  return lambda.invoke(event);
};
