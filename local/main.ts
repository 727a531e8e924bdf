import { url as debuggerUrl } from 'node:inspector';
import { join } from 'node:path';
import { watch } from 'chokidar';
import { endWith, UserError } from '../terminal/user-error.ts';
import { apiPage } from './api-page/page.ts';
import { accessLogWriter } from './gateway/access-log-entry.ts';
import type { Deployment } from './gateway/deployment.ts';
import { gatewayServer } from './gateway/gateway.ts';
import { issuerServer, jwksPath, loadOrCreateKey, signToken } from './issuer/issuer.ts';
import { type Functions, startFunctions } from './lambda/functions.ts';
import { shownLogLine } from './lambda/log-line.ts';
import { listen, loopback, portFrom } from './listen.ts';
import { projectFolder } from './project.ts';
import { readyMessage } from './ready-message.ts';
import { announce, issuerKeyFile } from './service-file.ts';
import { rebuilder } from './stack/rebuild.ts';
import { settingOf, type Stack } from './stack/stack.ts';
import { type Synthesis, synthesize } from './stack/synthesize.ts';
import { withoutTimeouts } from './stack/without-timeouts.ts';
import { sampleUsers } from './store/sample-plants.ts';
import { fillStore, startStore } from './store/store.ts';

interface LocalDeployment extends Deployment, Functions {
  readonly stack: Stack;
}

/** A change in these folders leads to a new deployment. */
const watchedFolders = ['functions', 'infra', 'table'] as const;
type WatchedFolder = (typeof watchedFolders)[number];

let synthesis: Synthesis | undefined;
const synthesizeStack = async (): Promise<Stack> => {
  synthesis = synthesize();
  const stack = await synthesis.stack;
  return debuggerUrl() === undefined ? stack : withoutTimeouts(stack);
};

// Servers and worker threads end with the process; a synthesis is a process of its own.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    void Promise.resolve(synthesis?.end()).then(() => process.exit(0));
  });
}
process.once('exit', () => void synthesis?.end());

const start = async (): Promise<void> => {
  const accessLog = accessLogWriter(process.env['ACCESS_LOG']);
  const key = await loadOrCreateKey(issuerKeyFile);

  // The servers listen first, so that a port in use is reported at once. Requests wait for the first deployment.
  const first = Promise.withResolvers<LocalDeployment>();
  let current = first.promise;
  const tokenOf = async ({ name, groups }: (typeof sampleUsers)[number]): Promise<string> => {
    const audience = settingOf((await current).stack, 'AUDIENCE');
    return signToken(key, { issuer, audience, subject: name, groups, lifetimeSeconds: 12 * 3600 });
  };
  const gateway = gatewayServer(
    () => current,
    (exchange) => {
      const line = accessLog(exchange);
      if (line !== undefined) console.log(line);
    },
    apiPage(Object.fromEntries(sampleUsers.map((user) => [user.name, () => tokenOf(user)]))),
  );
  const port = await listen(gateway, portFrom('PORT', 3000), 'PORT');
  const issuerPort = await listen(issuerServer(key), portFrom('ISSUER_PORT', 9000), 'ISSUER_PORT');
  const baseUrl = `http://${loopback}:${String(port)}`;
  const issuer = `http://${loopback}:${String(issuerPort)}`;
  const [store, stack] = await Promise.all([startStore(portFrom('STORE_PORT', 8000)), synthesizeStack()]);

  const deploy = async (stack: Stack): Promise<LocalDeployment> => {
    const { name: tableName } = stack.table;
    await fillStore(store, stack.table);
    const audience = settingOf(stack, 'AUDIENCE');
    announce({ baseUrl, storeEndpoint: store.endpoint, tableName, issuer, audience, keyFile: issuerKeyFile });
    const functions = startFunctions(stack.functions, {
      credentials: store.credentials,
      overrides: {
        AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
        TOKEN_ISSUER: issuer,
        JWKS_URI: `${issuer}${jwksPath}`,
      },
      onLog: (line) => {
        console.log(shownLogLine(line));
      },
    });
    return { stack, api: stack.api, ...functions };
  };
  first.resolve(deploy(stack));

  const users = await Promise.all(sampleUsers.map(async (user) => ({ ...user, token: await tokenOf(user) })));
  const { name: tableName } = stack.table;
  console.log(readyMessage({ baseUrl, store: store.endpoint, tableName, issuer, users }));

  let bundles = rebuilder(stack);
  onSourceChange(async (changed) => {
    const previous = await current;
    let next: LocalDeployment;
    // What a function is made of does not change the stack.
    if (changed.isSubsetOf(new Set(['functions']))) next = await deploy(await bundles.rebuild());
    else {
      next = await deploy(await synthesizeStack());
      await bundles.end();
      bundles = rebuilder(next.stack);
    }
    current = Promise.resolve(next);
    previous.retire();
    console.log('The functions were reloaded.');
  });
};

/** Longer than the pause between two saves of one action of an editor or of git, in milliseconds. */
const quietTime = 200;

/** Runs the action with the changed folders, shortly after the last of several changes, never twice at once. */
const onSourceChange = (action: (changed: ReadonlySet<WatchedFolder>) => Promise<void>): void => {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let changed = new Set<WatchedFolder>();
  const run = (): Promise<void> => {
    const folders = changed;
    changed = new Set();
    return action(folders).catch((error: unknown) => {
      // They are not deployed yet.
      changed = changed.union(folders);
      throw error;
    });
  };
  const later = (folder: WatchedFolder): void => {
    changed.add(folder);
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(run).catch((error: unknown) => {
        console.error(
          error instanceof UserError ? `${error.message} The previous version still runs.` : error,
        );
      });
    }, quietTime);
  };
  for (const folder of watchedFolders)
    watch(join(projectFolder, folder), { ignoreInitial: true }).on('all', () => {
      later(folder);
    });
};

start().catch(endWith);
