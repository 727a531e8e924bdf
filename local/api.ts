import { unexpectedErrors } from '../functions/http/unexpected-errors.ts';
import * as infra from '../infra/operations.ts';
import { printError, writeJsonLog } from './lambda/json-console.ts';
import { lambdaFunction } from './lambda/invoke.ts';

writeJsonLog();
unexpectedErrors.subscribe(printError);

const authorizer = 'authorizer';
const load = async (folder: string, timeoutSeconds: number) =>
  [
    folder,
    lambdaFunction(folder, await import(`../functions/${folder}/handler.ts`), timeoutSeconds),
  ] as const;
const functions = new Map([
  await load(authorizer, infra.authorizerTimeoutSeconds),
  ...(await Array.fromAsync(infra.operations, ({ folder }) => load(folder, infra.operationTimeoutSeconds))),
]);

/** What the gateway needs to know. */
export const api = {
  routes: infra.operations.map(({ route: key, folder }) => ({ key, folder })),
  authorizer,
  authorizerCacheSeconds: infra.authorizerCacheSeconds,
};

export const warmUp = async (): Promise<void> => {
  await Promise.all([...functions.values()].map((each) => each.warmUp()));
};

/** Runs the function of a folder with an event. */
export const invoke = async (folder: string, event: unknown): Promise<unknown> => {
  const found = functions.get(folder);
  if (found === undefined) throw new Error(`functions/${folder} is not the folder of an operation.`);
  return found.invoke(event);
};
