import { exitWith, UserError } from '../../terminal/user-error.ts';
import { httpApi, type Respond } from '../gateway/http-api.ts';
import type { Invoke } from '../lambda/invoke.ts';
import { type FunctionsWorker, startWorker } from './start-worker.ts';
import { watchSources } from './watch-sources.ts';

/** A loaded version of the functions. */
interface Version {
  readonly worker: FunctionsWorker;
  readonly respond: Respond;
}

/**
 * Runs the functions with these variables. After a change of their sources a new process loads them, and
 * runs them from then on; the previous one ends after its last invocation.
 * @param storeFilled before it, no function sends a request
 * @returns responds to a request with the newest version that could be loaded
 */
export const runApi = async (
  variables: Readonly<Record<string, string>>,
  storeFilled: Promise<void>,
): Promise<Respond> => {
  const firstVersion = Promise.withResolvers<Version>();
  let loading: FunctionsWorker | undefined;
  let current: Version | undefined;

  const load = async (): Promise<void> => {
    // A newer save has replaced the sources that it loads.
    loading?.kill();
    const worker = startWorker(variables, storeFilled);
    loading = worker;
    try {
      const { routes, authorizer, authorizerCacheSeconds } = await worker.ready;
      if (worker !== loading) return;
      loading = undefined;
      // The newest process runs a function, because a body can arrive long after a save.
      const invoker =
        (folder: string): Invoke =>
        (event) =>
          (current?.worker ?? worker).invoke(folder, event);
      const ownRoutes = routes.map(({ key, folder }) => ({ key, invoke: invoker(folder) }));
      const previous = current;
      // With no decision in its cache, because the authorizer may have changed.
      current = {
        worker,
        respond: httpApi(ownRoutes, invoker(authorizer), authorizerCacheSeconds, console.log),
      };
      firstVersion.resolve(current);
      if (previous === undefined) return;
      console.log('The functions were reloaded.');
      previous.worker.retire();
    } catch (error) {
      if (worker !== loading) return;
      if (current === undefined || !(error instanceof UserError)) exitWith(error);
      else console.error(`${error.message} The previous version still runs.`);
    }
  };

  let debounce: NodeJS.Timeout | undefined;
  watchSources(() => {
    clearTimeout(debounce);
    // Longer than the pause between two writes of one save or one git command.
    debounce = setTimeout(() => void load(), 10);
  });
  void load();
  const first = await firstVersion.promise;
  return (...request) => (current ?? first).respond(...request);
};
