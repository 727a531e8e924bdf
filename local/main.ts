import { mkdirSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { takeNoArguments } from '../cli/terminal/no-arguments.ts';
import { exitWith } from '../cli/terminal/user-error.ts';
import { apiProcess } from './api-process.ts';
import { functionVariables, writeContainerVariables } from './function-variables.ts';
import { issuerServer, loadOrCreateKey, signToken } from './issuer/issuer.ts';
import { listen, loopback } from './listen.ts';
import { readyMessage } from './ready-message.ts';
import { refuseSecondStart, writeService } from './second-start.ts';
import * as files from './service-file.ts';
import { addressForContainers, portFrom } from './settings.ts';
import { sampleUsers } from './store/sample-plants.ts';
import { fillStore, startEmbeddedStore } from './store/store.ts';
import { watchSources } from './watch-sources.ts';

/** Local clients take everything from this service, and nothing from the AWS settings of the machine. */
const ignoreAwsSettings = (): void => {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  const noFiles = { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull };
  process.env = { ...Object.fromEntries(others), ...noFiles };
};

const start = async (): Promise<void> => {
  takeNoArguments('npm start', 'Runs the service on this machine. docs/local-service.md has its settings.');
  const address = addressForContainers();
  const ownStore = files.ownStoreEndpoint();
  const credentials = files.storeCredentials();
  ignoreAwsSettings();

  mkdirSync(files.stateFolder, { recursive: true });
  const keyFile = join(files.stateFolder, 'issuer-key.json');
  const key = loadOrCreateKey(keyFile);
  await refuseSecondStart(key.kid);
  const issuerPort = await listen(issuerServer(key), portFrom('ISSUER_PORT'), 'ISSUER_PORT', address);
  const service = {
    storeEndpoint: ownStore ?? (await startEmbeddedStore(portFrom('STORE_PORT'), address)),
    tableName: 'PlantStore-local',
    issuer: `http://${address}:${String(issuerPort)}`,
    audience: 'plant-store',
    keyFile,
  };
  const variables = functionVariables(service);
  await fillStore(service.storeEndpoint, service.tableName, credentials);
  const loadApi = apiProcess({
    ...variables,
    KEY_FILE: keyFile,
    AWS_REGION: files.localRegion,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken ?? '',
    PORT: portFrom('PORT'),
  });
  const baseUrl = `http://${loopback}:${String(await loadApi())}`;
  watchSources(files.projectFolder, reload(loadApi), (code) => {
    console.error(`Changes are not noticed (${code}). Restart npm start after a change.`);
  });
  writeContainerVariables(variables);
  await writeService({ baseUrl, ...service }, key.kid);
  const [user] = sampleUsers;
  const claims = { iss: service.issuer, aud: service.audience, sub: user.name, groups: user.groups };
  console.log(readyMessage({ baseUrl, ...service }, user, signToken(key, claims)));
};

/** Loads changed sources. What only this process loads needs a restart. */
const reload =
  (loadApi: () => Promise<unknown>) =>
  async (paths: readonly string[]): Promise<void> => {
    try {
      await loadApi();
      console.log('The functions were reloaded.');
    } catch (error) {
      console.error(`${String(error).replace('UserError: ', '')} The previous version still runs.`);
    }
    const atStart = paths.find((path) => /^local\/(?!api\.ts|api-page|gateway|lambda)/.test(path));
    if (atStart !== undefined) console.log(`${atStart} is only read at the start: restart npm start.`);
  };

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit());
// npm that is killed alone leaves this process behind.
const npm = process.ppid;
setInterval(() => process.ppid === npm || process.exit(), 1000);
start().catch(exitWith);
