import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { stop as stopBundler } from 'esbuild';
import { takeNoArguments } from '../terminal/no-arguments.ts';
import { endWith, UserError } from '../terminal/user-error.ts';
import { apiPage } from './api-page/page.ts';
import { gatewayServer } from './gateway/gateway.ts';
import { apiResponder, type Respond } from './gateway/api-responder.ts';
import { issuerServer, jwksPath, loadOrCreateKey, signToken } from './issuer/issuer.ts';
import { startFunctions } from './lambda/functions.ts';
import { listen, loopback } from './listen.ts';
import { lockCheckout, refuseSecondStart } from './lock.ts';
import { sayProgress } from './progress.ts';
import { readyMessage } from './ready-message.ts';
import { requestLine } from './request-line.ts';
import { announce, issuerKeyFile, type Service } from './service-file.ts';
import { addressForContainers, help, portFrom } from './settings.ts';
import { bundleFunctions, bundlesFolder, makeBundlesFolder } from './stack/bundle.ts';
import { audienceOf, type Stack } from './stack/read-stack.ts';
import { synthesize } from './stack/synthesize.ts';
import { watchSources } from './stack/watch-sources.ts';
import { sampleUsers } from './store/sample-plants.ts';
import { startStore } from './store/store.ts';

/** A version of the service that responds to requests. */
interface Deployment {
  readonly respond: Respond;
  /** For whom the issuer's tokens are. */
  readonly audience: string;
  /** Settles when the functions are loaded. */
  readonly warm: Promise<unknown>;
  /** Ends it when the requests that it has are responded to. */
  readonly retire: () => void;
}

// Servers, worker threads and a synthesis end with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));

const start = async (): Promise<void> => {
  takeNoArguments('npm start', help);
  const key = loadOrCreateKey(issuerKeyFile);
  // Before its ports are found in use.
  await refuseSecondStart(key.kid);

  // The servers listen first, to report a port in use at once. Requests wait for the first deployment.
  const first = Promise.withResolvers<Deployment>();
  let current: Deployment | undefined;
  const deployment = async (): Promise<Deployment> => current ?? first.promise;
  const tokenOf = async ({ name, groups }: (typeof sampleUsers)[number]): Promise<string> => {
    const { audience } = await deployment();
    return signToken(key, { issuer, audience, subject: name, groups, lifetimeSeconds: 12 * 3600 });
  };
  const page = apiPage(Object.fromEntries(sampleUsers.map((user) => [user.name, () => tokenOf(user)])));
  const gateway = gatewayServer(
    async (request) => (await page(request)) ?? (await deployment()).respond(request),
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
  watchSources(async (changesStack, signal) => {
    await first.promise;
    await update(changesStack, signal).catch((error: unknown) => {
      if (signal.aborted) return;
      console.error(error instanceof UserError ? `${error.message} The previous version still runs.` : error);
    });
  });
  // The AWS SDK takes a while to load.
  const [firstStack, store, { fillStore }] = await Promise.all([
    synthesize(),
    startStore(portFrom('STORE_PORT'), address),
    import('./store/fill-store.ts'),
  ]);

  const overrides = {
    AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
    TOKEN_ISSUER: issuer,
    JWKS_URI: jwksUri,
  };
  const functionsOptions = {
    credentials: store.credentials,
    overrides,
    onLog: console.log,
    logFormat: process.stdout.isTTY ? 'text' : 'JSON',
  } as const;

  const prepare = async (stack: Stack): Promise<Service> => {
    await fillStore(store, stack.table);
    const tableName = stack.table.name;
    const audience = audienceOf(stack);
    const service = {
      baseUrl,
      storeEndpoint: store.endpoint,
      tableName,
      issuer,
      audience,
      keyFile: issuerKeyFile,
    };
    announce(service, { ...overrides, TABLE_NAME: tableName });
    return service;
  };

  let version = 0;
  const deploy = async (stack: Stack): Promise<void> => {
    const bundled = await bundleFunctions(stack.functions, join(bundlesFolder, String(version + 1)));
    version += 1;
    const { invoke, warmUp, retire } = startFunctions(bundled, functionsOptions);
    current?.retire();
    const respond = apiResponder(stack.api, invoke);
    current = { respond, audience: audienceOf(stack), warm: warmUp(), retire };
    first.resolve(current);
    // Environments of the previous version may still start from its bundles.
    rmSync(join(bundlesFolder, String(version - 2)), { recursive: true, force: true });
    // Its process holds 20 MB. The next build starts it again.
    await stopBundler();
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

  const [service] = await Promise.all([prepare(stack), deploy(stack)]);
  await (
    await first.promise
  ).warm;
  endProgress();
  const [user] = sampleUsers;
  console.log(readyMessage(service, user, await tokenOf(user)));
};

start().catch(endWith);
