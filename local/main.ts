import { rmSync } from 'node:fs';
import { url as debuggerUrl } from 'node:inspector';
import { join } from 'node:path';
import { takeNoArguments } from '../terminal/no-arguments.ts';
import { endWith, UserError } from '../terminal/user-error.ts';
import { apiPage } from './api-page/page.ts';
import { gatewayServer } from './gateway/gateway.ts';
import { apiResponder, type Respond } from './gateway/api-responder.ts';
import { issuerServer, jwksPath, loadOrCreateKey, signToken } from './issuer/issuer.ts';
import { startFunctions } from './lambda/functions.ts';
import { listen, loopback } from './listen.ts';
import { lockCheckout, refuseSecondStart } from './lock.ts';
import { readyMessage } from './ready-message.ts';
import { requestLine } from './request-line.ts';
import { announce, announceToContainers, issuerKeyFile } from './service-file.ts';
import { addressForContainers, help, portFrom } from './settings.ts';
import { bundleFunctions, bundlesFolder, makeBundlesFolder } from './stack/bundle.ts';
import { settingOf, type Stack } from './stack/read-stack.ts';
import { synthesize } from './stack/synthesize.ts';
import { watchSources } from './stack/watch-sources.ts';
import { withoutTimeouts } from './stack/without-timeouts.ts';
import { sampleUsers } from './store/sample-plants.ts';
import { startStore } from './store/store.ts';

/** A version of the service that responds to requests. */
interface Deployment {
  readonly respond: Respond;
  /** For whom the issuer's tokens are. */
  readonly audience: string;
  /** Ends it when the requests that it has are responded to. */
  readonly retire: () => void;
}

/** How often a slow start says that it goes on, in milliseconds. */
const progressInterval = 2000;

// Servers, worker threads and a synthesis end with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));

const synthesizeStack = async (): Promise<Stack> => {
  const stack = await synthesize();
  return debuggerUrl() === undefined ? stack : withoutTimeouts(stack);
};

/** Says what a start waits for, at once and while it does. @returns a function that ends this */
const sayProgress = (what: string): (() => void) => {
  const start = Date.now();
  console.log(`${what}…`);
  const timer = setInterval(() => {
    console.log(`${what}, for ${String(Math.round((Date.now() - start) / 1000))} s…`);
  }, progressInterval);
  return () => {
    clearInterval(timer);
  };
};

const start = async (): Promise<void> => {
  takeNoArguments('npm start', help);
  const key = loadOrCreateKey(issuerKeyFile);
  // Before its ports are found in use.
  await refuseSecondStart(key.kid);

  // The servers listen first, so that a port in use is reported at once. Requests wait for the first deployment.
  const first = Promise.withResolvers<Deployment>();
  let current: Deployment | undefined;
  const tokenOf = async ({ name, groups }: (typeof sampleUsers)[number]): Promise<string> => {
    const { audience } = current ?? (await first.promise);
    return signToken(key, { issuer, audience, subject: name, groups, lifetimeSeconds: 12 * 3600 });
  };
  const page = apiPage(Object.fromEntries(sampleUsers.map((user) => [user.name, () => tokenOf(user)])));
  const gateway = gatewayServer(
    async (request) => (await page(request)) ?? (current ?? (await first.promise)).respond(request),
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
  makeBundlesFolder();
  const endProgress = sayProgress('Synthesizing the stack and starting the store');
  // Before the sources are read.
  watchSources(async (changesStack) => {
    await first.promise;
    await update(changesStack).catch((error: unknown) => {
      console.error(error instanceof UserError ? `${error.message} The previous version still runs.` : error);
    });
  });
  // The AWS SDK takes a while to load.
  const [firstStack, store, { fillStore }] = await Promise.all([
    synthesizeStack(),
    startStore(portFrom('STORE_PORT'), address),
    import('./store/fill-store.ts'),
  ]);

  const functionsOptions = {
    credentials: store.credentials,
    overrides: {
      AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
      TOKEN_ISSUER: issuer,
      JWKS_URI: jwksUri,
    },
    onLog: console.log,
    logFormat: process.stdout.isTTY ? 'text' : 'JSON',
  } as const;

  const prepare = async (stack: Stack): Promise<void> => {
    await fillStore(store, stack.table);
    const audience = settingOf(stack, 'AUDIENCE');
    const { name: tableName } = stack.table;
    announce({ baseUrl, storeEndpoint: store.endpoint, tableName, issuer, audience, keyFile: issuerKeyFile });
    announceToContainers({ ...functionsOptions.overrides, TABLE_NAME: tableName });
  };

  let version = 0;
  let loaded: Promise<unknown> | undefined;
  const deploy = async (stack: Stack): Promise<void> => {
    const bundled = await bundleFunctions(stack.functions, join(bundlesFolder, String(version + 1)));
    version += 1;
    const { invoke, warmUp, retire } = startFunctions(bundled, functionsOptions);
    loaded = warmUp();
    current?.retire();
    current = { respond: apiResponder(stack.api, invoke), audience: settingOf(stack, 'AUDIENCE'), retire };
    first.resolve(current);
    // Environments of the previous version may still start from its bundles.
    rmSync(join(bundlesFolder, String(version - 2)), { recursive: true, force: true });
  };

  let stack = firstStack;
  const update = async (changesStack: boolean): Promise<void> => {
    if (changesStack) {
      console.log('Synthesizing…');
      const next = await synthesizeStack();
      await prepare(next);
      stack = next;
    }
    await deploy(stack);
    console.log('The functions were reloaded.');
  };

  await Promise.all([prepare(stack), deploy(stack)]);
  await loaded;
  endProgress();
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
};

start().catch(endWith);
