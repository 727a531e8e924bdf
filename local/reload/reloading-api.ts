import { exitWith, UserError } from '../../terminal/user-error.ts';
import { httpApi, type Respond } from '../gateway/http-api.ts';
import type { Invoke } from '../lambda/invoke.ts';
import { type FunctionsWorker, startWorker } from './start-worker.ts';
import { watchSources } from './watch-sources.ts';
import type { Api } from './worker-messages.ts';

/** A loaded version of the functions. */
interface Version {
  readonly worker: FunctionsWorker;
  readonly respond: Respond;
}

/**
 * Runs the functions with these variables. After a change of their sources, a new process loads the functions
 * and replaces the previous process, which ends after its last invocation.
 * @param storeFilled until it resolves, no function sends a request
 * @returns a function that responds to a request with the newest version that could be loaded
 */
export const reloadingApi = async (
  variables: Readonly<Record<string, string>>,
  storeFilled: Promise<void>,
): Promise<Respond> => {
  const firstVersion = Promise.withResolvers<Version>();
  let loading: FunctionsWorker | undefined;
  let current: Version | undefined;

  const load = async (): Promise<void> => {
    // A newer save replaces the process in `loading`. Below, the outcome of a replaced process is ignored.
    loading?.kill();
    const worker = startWorker(variables, storeFilled);
    loading = worker;
    try {
      const api = await worker.ready;
      if (worker !== loading) return;
      loading = undefined;
      replaceCurrent(worker, api);
    } catch (error) {
      if (worker !== loading) return;
      if (current === undefined || !(error instanceof UserError)) exitWith(error);
      else console.error(`${error.message} The previous version still runs.`);
    }
  };

  const replaceCurrent = (worker: FunctionsWorker, api: Api): void => {
    const previous = current;
    current = { worker, respond: apiOf(worker, api) };
    firstVersion.resolve(current);
    if (previous === undefined) return;
    console.log('The functions were reloaded.');
    previous.worker.retire();
  };

  /** The API of a version, with an empty cache of decisions, because the authorizer may have changed. */
  const apiOf = (worker: FunctionsWorker, { routes, authorizer, authorizerCacheSeconds }: Api): Respond => {
    // Invokes the current worker, because a body can arrive long after a save, when the worker that had the
    // request's route has ended.
    const invoker =
      (folder: string): Invoke =>
      (event) =>
        (current?.worker ?? worker).invoke(folder, event);
    const invokedRoutes = routes.map(({ key, folder }) => ({ key, invoke: invoker(folder) }));
    return httpApi(invokedRoutes, invoker(authorizer), authorizerCacheSeconds, console.log);
  };

  let debounce: NodeJS.Timeout | undefined;
  watchSources(() => {
    clearTimeout(debounce);
    // 10 ms are longer than the pause between two writes of one save or one git command.
    debounce = setTimeout(() => void load(), 10);
  });
  void load();
  const first = await firstVersion.promise;
  return (message, requestId, readBody) => (current ?? first).respond(message, requestId, readBody);
};
