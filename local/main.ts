import { rmSync, watch } from 'node:fs';
import { url as debuggerUrl } from 'node:inspector';
import { join } from 'node:path';
import type { BuildContext } from 'esbuild';
import { takeNoArguments } from '../terminal/no-arguments.ts';
import { endWith, UserError } from '../terminal/user-error.ts';
import { apiPage } from './api-page/page.ts';
import { gatewayServer } from './gateway/gateway.ts';
import { httpApi, type Respond } from './gateway/http-api.ts';
import { issuerServer, jwksPath, loadOrCreateKey, signToken } from './issuer/issuer.ts';
import { type Functions, startFunctions } from './lambda/functions.ts';
import { listen, loopback } from './listen.ts';
import { lockCheckout, refuseSecondStart } from './lock.ts';
import { shownLogLine } from './log-line.ts';
import { projectFolder } from './project.ts';
import { readyMessage } from './ready-message.ts';
import { requestLine } from './request-line.ts';
import { announce, announceToContainers, issuerKeyFile, stateFolder } from './service-file.ts';
import { addressForContainers, help, portFrom } from './settings.ts';
import { type FunctionDefinition, settingOf, type Stack } from './stack/read-stack.ts';
import { synthesize } from './stack/synthesize.ts';
import { watchFunctions } from './stack/watch-functions.ts';
import { withoutTimeouts } from './stack/without-timeouts.ts';
import { sampleUsers } from './store/sample-plants.ts';
import { fillStore, startStore } from './store/store.ts';

interface Deployment extends Functions {
  readonly respond: Respond;
  /** For whom the issuer's tokens are. */
  readonly audience: string;
}

/** A change in these folders changes the stack; esbuild watches what the functions are made of. */
const stackFolders = ['infra', 'table'] as const;

/** Longer than the pause between two saves of one action of an editor or of git, in milliseconds. */
const quietTime = 200;

// Servers, worker threads and a synthesis end with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));

const synthesizeStack = async (): Promise<Stack> => {
  const stack = await synthesize();
  return debuggerUrl() === undefined ? stack : withoutTimeouts(stack);
};

const start = async (): Promise<void> => {
  takeNoArguments('npm start', help);
  const key = await loadOrCreateKey(issuerKeyFile);
  // Before its ports are found in use.
  await refuseSecondStart(key.kid);

  // The servers listen first, so that a port in use is reported at once. Requests wait for the first deployment.
  const first = Promise.withResolvers<Deployment>();
  let current = first.promise;
  const tokenOf = async ({ name, groups }: (typeof sampleUsers)[number]): Promise<string> => {
    const { audience } = await current;
    return signToken(key, { issuer, audience, subject: name, groups, lifetimeSeconds: 12 * 3600 });
  };
  const page = apiPage(Object.fromEntries(sampleUsers.map((user) => [user.name, () => tokenOf(user)])));
  const gateway = gatewayServer(
    async (request) => (await page(request)) ?? (await current).respond(request),
    (exchange) => {
      console.log(requestLine(exchange));
    },
  );
  const address = addressForContainers();
  const port = await listen(gateway, portFrom('PORT'), 'PORT');
  const issuerPort = await listen(issuerServer(key), portFrom('ISSUER_PORT'), 'ISSUER_PORT', address);
  const baseUrl = `http://${loopback}:${String(port)}`;
  const issuer = `http://${address}:${String(issuerPort)}`;
  const jwksUri = `${issuer}${jwksPath}`;
  await lockCheckout({ baseUrl, jwksUri }, key.kid);
  const [store, stack] = await Promise.all([startStore(portFrom('STORE_PORT'), address), synthesizeStack()]);

  const functionsOptions = {
    credentials: store.credentials,
    overrides: {
      AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
      TOKEN_ISSUER: issuer,
      JWKS_URI: jwksUri,
    },
    onLog: (line: string) => {
      console.log(shownLogLine(line));
    },
  };
  const deploy = (stack: Stack, definitions: readonly FunctionDefinition[] | undefined): void => {
    if (definitions === undefined) {
      console.error('The functions could not be bundled. The previous version still runs.');
      return;
    }
    const functions = startFunctions(definitions, functionsOptions);
    const respond = httpApi(stack.api, functions.invoke);
    const next = { ...functions, respond, audience: settingOf(stack, 'AUDIENCE') };
    first.resolve(next);
    void current.then((previous) => {
      if (previous === next) return;
      previous.retire();
      console.log('The functions were reloaded.');
    });
    current = Promise.resolve(next);
  };

  const bundles = join(stateFolder, 'bundles', String(port));
  process.once('exit', () => {
    rmSync(bundles, { recursive: true, force: true });
  });
  let syntheses = 0;
  let build: BuildContext | undefined;
  const run = async (stack: Stack): Promise<void> => {
    await fillStore(store, stack.table);
    const audience = settingOf(stack, 'AUDIENCE');
    const { name: tableName } = stack.table;
    announce({ baseUrl, storeEndpoint: store.endpoint, tableName, issuer, audience, keyFile: issuerKeyFile });
    announceToContainers({ ...functionsOptions.overrides, TABLE_NAME: tableName });
    await build?.dispose();
    syntheses += 1;
    build = await watchFunctions(stack.functions, join(bundles, String(syntheses)), (definitions) => {
      deploy(stack, definitions);
    });
  };
  await run(stack);

  const [user] = sampleUsers;
  console.log(
    readyMessage({
      baseUrl,
      storeEndpoint: store.endpoint,
      tableName: stack.table.name,
      issuer,
      user,
      token: await tokenOf(user),
    }),
  );

  onStackChange(async () => {
    console.log('Synthesizing…');
    await run(await synthesizeStack());
  });
};

/** Runs the action shortly after the last of several changes, never twice at once. */
const onStackChange = (action: () => Promise<void>): void => {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(action).catch((error: unknown) => {
        console.error(
          error instanceof UserError ? `${error.message} The previous version still runs.` : error,
        );
      });
    }, quietTime);
  };
  for (const folder of stackFolders) watch(join(projectFolder, folder), { recursive: true }, later);
};

start().catch(endWith);
