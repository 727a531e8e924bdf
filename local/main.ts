import { join } from 'node:path';
import { stop as stopBundler } from 'esbuild';
import { takeNoArguments } from '../cli/terminal/no-arguments.ts';
import { exitWith, UserError } from '../cli/terminal/user-error.ts';
import { accessLogLine } from './access-log.ts';
import { apiPage } from './api-page/page.ts';
import { gatewayServer } from './gateway/gateway.ts';
import { apiResponder, type Respond } from './gateway/api-responder.ts';
import { issuerServer, jwksPath, loadOrCreateKey, signToken } from './issuer/issuer.ts';
import { startFunctions } from './lambda/functions.ts';
import { listen, loopback } from './listen.ts';
import { lockCheckout } from './lock.ts';
import { readyMessage } from './ready-message.ts';
import {
  bundlesFolder,
  issuerKeyFile,
  ownStoreEndpoint,
  type Service,
  writeService,
} from './service-file.ts';
import { addressForContainers, help, portFrom } from './settings.ts';
import { bundleFunctions, makeBundlesFolder } from './stack/bundle.ts';
import { audienceOf, type Stack } from './stack/read-stack.ts';
import { synthesize } from './stack/synthesize.ts';
import { watchSources } from './stack/watch-sources.ts';
import { sampleUsers } from './store/sample-plants.ts';
import { startEmbeddedStore } from './store/store.ts';

/** A version of the service that responds to requests. */
interface Deployment {
  readonly respond: Respond;
  readonly stack: Stack;
  /** Ends it after its requests in flight. */
  readonly retire: () => void;
}

// Servers, worker threads and a synthesis end with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));

const start = async (): Promise<void> => {
  takeNoArguments('npm start', help);
  // Before the ports, so that a second start reports the running service rather than a port in use.
  lockCheckout();
  const key = loadOrCreateKey(issuerKeyFile);

  // The servers listen first, to report a port in use at once. Requests wait for the first deployment.
  const first = Promise.withResolvers<Deployment>();
  let current: Deployment | undefined;
  const deployment = async (): Promise<Deployment> => current ?? first.promise;
  const tokenOf = async ({ name, groups }: (typeof sampleUsers)[number]): Promise<string> => {
    const { stack } = await deployment();
    return signToken(key, { iss: issuer, aud: audienceOf(stack), sub: name, groups }, 12 * 3600);
  };
  const page = apiPage(new Map(sampleUsers.map((user) => [user.name, () => tokenOf(user)])));
  const gateway = gatewayServer(
    async (request) => (await page(request)) ?? (await deployment()).respond(request),
    (exchange) => {
      console.log(accessLogLine(exchange));
    },
  );
  const address = addressForContainers();
  const port = await listen(gateway, portFrom('PORT'), 'PORT');
  const issuerPort = await listen(issuerServer(key), portFrom('ISSUER_PORT'), 'ISSUER_PORT', address);
  const baseUrl = `http://${loopback}:${String(port)}`;
  const issuer = `http://${address}:${String(issuerPort)}`;
  makeBundlesFolder();
  console.log('Synthesizing the stack and starting the store…');
  const progress = setInterval(console.log, 2000, 'Still synthesizing the stack and starting the store…');
  // Before the synthesis reads the sources, so that it misses no change.
  watchSources(async (changesStack, signal) => {
    await first.promise;
    await update(changesStack, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      console.error(error instanceof UserError ? `${error.message} The previous version still runs.` : error);
    });
  });
  // In parallel, because the import loads the AWS SDK, which is slow.
  const [firstStack, storeEndpoint, { fillStore }] = await Promise.all([
    synthesize(),
    ownStoreEndpoint() ?? startEmbeddedStore(portFrom('STORE_PORT'), address),
    import('./store/fill-store.ts'),
  ]);

  const overrides = {
    AWS_ENDPOINT_URL_DYNAMODB: storeEndpoint,
    TOKEN_ISSUER: issuer,
    JWKS_URI: `${issuer}${jwksPath}`,
  };

  const prepare = async (stack: Stack): Promise<Service> => {
    await fillStore(storeEndpoint, stack.table);
    const tableName = stack.table.name;
    const audience = audienceOf(stack);
    const service = { baseUrl, storeEndpoint, tableName, issuer, audience, keyFile: issuerKeyFile };
    writeService(service, { ...overrides, TABLE_NAME: tableName });
    return service;
  };

  let version = 0;
  /** Starts to serve a version of the stack; `loaded` settles when its functions are loaded. */
  const deploy = async (stack: Stack): Promise<{ readonly loaded: Promise<unknown> }> => {
    // Two folders in turn: environments of the previous version may still start from its bundles.
    const bundled = await bundleFunctions(stack.functions, join(bundlesFolder, String(version % 2)));
    version += 1;
    const { invoke, warmUp, retire } = startFunctions(bundled, overrides);
    current?.retire();
    current = { respond: apiResponder(stack.routes, invoke), stack, retire };
    first.resolve(current);
    const loaded = warmUp();
    // The process of esbuild holds 20 MB. The next build starts it again.
    await stopBundler();
    return { loaded };
  };

  let stack = firstStack;
  const update = async (changesStack: boolean, signal: AbortSignal): Promise<void> => {
    if (changesStack) {
      console.log('Synthesizing…');
      const next = await synthesize(signal);
      await prepare(next);
      stack = next;
    }
    await deploy(stack);
    console.log('The functions were reloaded.');
  };

  const [service, { loaded }] = await Promise.all([prepare(stack), deploy(stack)]);
  await loaded;
  clearInterval(progress);
  console.log(readyMessage(service, sampleUsers[0], await tokenOf(sampleUsers[0])));
};

start().catch(exitWith);
