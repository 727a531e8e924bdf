import { url as debuggerUrl } from 'node:inspector';
import { join } from 'node:path';
import { watch } from 'chokidar';
import { serveApiPage } from './api-page/page.ts';
import { withPatience } from './stack/without-timeouts.ts';
import { deploy, type LocalDeployment } from './lambda/functions.ts';
import { endWith, UserError } from '../terminal/user-error.ts';
import { type Exchange, gatewayServer } from './gateway/gateway.ts';
import { issuerServer, jwksPath, loadOrMakeKey, signToken } from './issuer/issuer.ts';
import { listen, loopback, portFrom } from './listen.ts';
import { projectFolder } from './project.ts';
import { readyMessage } from './ready-message.ts';
import { accessLogLine } from './gateway/access-log.ts';
import { sampleUsers } from './store/sample-plants.ts';
import { settingOf, type Stack } from './stack/stack.ts';
import { announce, makeStateFolder, stateFolder } from './service-file.ts';
import { fillStore, startStore } from './store/store.ts';
import { exitWithSynthesis, synthesize } from './stack/synthesize.ts';

/** Sources whose change leads to a new deployment. */
const watchedFolders = ['functions', 'infra'];

const synthesizeStack = async (): Promise<Stack> => {
  const stack = await synthesize();
  return debuggerUrl() === undefined ? stack : withPatience(stack);
};

// Servers and worker threads end with the process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, exitWithSynthesis);

const printLine = (exchange: Exchange): void => {
  console.log(accessLogLine(exchange));
};

const start = async (): Promise<void> => {
  makeStateFolder();
  const keyFile = join(stateFolder, 'issuer-key.json');
  const key = await loadOrMakeKey(keyFile);

  // Ports first: one that is taken is said at once, and requests wait until the first deployment is there.
  const first = Promise.withResolvers<LocalDeployment>();
  let current: Promise<LocalDeployment> = first.promise;
  const gateway = gatewayServer(() => current, printLine);
  const port = await listen(gateway, portFrom('PORT', 3000), 'PORT');
  const issuerPort = await listen(issuerServer(key), portFrom('ISSUER_PORT', 9000), 'ISSUER_PORT');
  const [store, stack] = await Promise.all([startStore(portFrom('STORE_PORT', 8000)), synthesizeStack()]);
  await fillStore(store, stack.table);

  const issuer = `http://${loopback}:${String(issuerPort)}`;
  const overrides = {
    AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    TOKEN_ISSUER: issuer,
    JWKS_URI: `${issuer}${jwksPath}`,
  };
  first.resolve(deploy(stack, store, overrides));

  const baseUrl = `http://${loopback}:${String(port)}`;
  const audience = settingOf(stack, 'AUDIENCE');
  const announceStack = (announced: Stack): void => {
    const { name: tableName } = announced.table;
    announce({
      baseUrl,
      storeEndpoint: store.endpoint,
      tableName,
      issuer,
      audience: settingOf(announced, 'AUDIENCE'),
      keyFile,
    });
  };
  announceStack(stack);
  const tokenOf = ({ name, groups }: (typeof sampleUsers)[number]): Promise<string> =>
    signToken(key, { issuer, audience, subject: name, groups, lifetimeSeconds: 12 * 3600 });
  serveApiPage(
    gateway,
    Object.fromEntries(sampleUsers.map((user) => [user.name, () => tokenOf(user)])),
    printLine,
  );
  const users = await Promise.all(sampleUsers.map(async (user) => ({ ...user, token: await tokenOf(user) })));
  const { name: tableName } = stack.table;
  console.log(readyMessage({ baseUrl, store: store.endpoint, tableName, issuer, users }));

  onSourceChange(async () => {
    const previous = await current;
    const next = await synthesizeStack();
    await fillStore(store, next.table);
    announceStack(next);
    current = Promise.resolve(deploy(next, store, overrides));
    previous.retire();
    console.log('The functions were reloaded.');
  });
};

/** Runs the action some time after the last of a burst of changes, never twice at once. */
const onSourceChange = (action: () => Promise<void>): void => {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(action).catch((error: unknown) => {
        console.error(error instanceof UserError ? `${error.message} The version before goes on.` : error);
      });
    }, 100);
  };
  watch(
    watchedFolders.map((folder) => join(projectFolder, folder)),
    { ignoreInitial: true },
  ).on('all', later);
};

start().catch(endWith);
