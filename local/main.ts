import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../terminal/local-service.ts';
import { takeNoArguments } from '../terminal/no-arguments.ts';
import { print } from '../terminal/output.ts';
import { exitWith } from '../terminal/user-error.ts';
import { banner } from './banner.ts';
import { type Backend, containerVariables, functionVariables } from './function-variables.ts';
import { gatewayServer } from './gateway/gateway-server.ts';
import type { Respond } from './gateway/http-api.ts';
import { issuerServer } from './issuer/issuer-server.ts';
import { type SampleUser, sampleUsers } from './issuer/sample-users.ts';
import { signToken } from './issuer/sign-token.ts';
import { keyFile, readKey, type SigningKey } from './issuer/signing-key.ts';
import { apiPage } from './page/api-page.ts';
import { reloadingApi } from './reload/reloading-api.ts';
import { listen } from './server/ports.ts';
import { readSettings, replaceMachineSettings, type Settings } from './settings.ts';
import { refuseSecondStart, writeService } from './single-start.ts';
import { embeddedStore } from './store/embedded-store.ts';
import { fillTable } from './store/fill-table.ts';

const start = async (): Promise<void> => {
  takeNoArguments('npm start', 'Runs the service on this machine. docs/local-service.md has its settings.');
  const settings = readSettings();
  replaceMachineSettings(settings.address);

  createStateFolder();
  const key = readKey(keyFile);
  await refuseSecondStart(key.kid);

  const backend = await startStoreAndIssuer(settings, key);
  const tokenOf = ({ name, groups }: SampleUser): Promise<string> =>
    signToken(key, { iss: backend.issuer, aud: backend.audience, sub: name, groups }, '12h');
  const respond = await startFunctions(backend);
  const baseUrl = await listen(gatewayServer(withPage(apiPage(tokenOf), respond)), settings.ports.gateway);

  // Another start of this checkout may have written the service file meanwhile.
  await refuseSecondStart(key.kid);
  const service = { baseUrl, ...backend, keyFile };
  writeService(service);
  const [user] = sampleUsers;
  print(banner(service, user, await tokenOf(user)));
};

const createStateFolder = (): void => {
  // With `recursive`, Node.js would report a read-only project folder as a missing folder.
  if (!existsSync(stateFolder)) mkdirSync(stateFolder);
};

const startStoreAndIssuer = async (
  { ports, address, storeEndpoint }: Settings,
  key: SigningKey,
): Promise<Backend> => {
  const issuer = await listen(issuerServer(key), ports.issuer, address);
  return {
    storeEndpoint: storeEndpoint ?? (await listen(embeddedStore(), ports.store, address)),
    tableName: 'PlantStore-local',
    issuer,
    audience: 'plant-store',
  };
};

/** Starts the functions, and writes the variables with which `sam local` runs them in containers. */
const startFunctions = async (backend: Backend): Promise<Respond> => {
  const variables = functionVariables(backend);
  const respond = await reloadingApi(variables, fillTable(backend.storeEndpoint, backend.tableName));
  const file = join(stateFolder, 'container-variables.json');
  writeFileSync(file, JSON.stringify({ Parameters: containerVariables(variables) }));
  return respond;
};

/** Responds with the API page at the paths of the page, and with the API at all other paths. */
const withPage =
  (page: ReturnType<typeof apiPage>, respond: Respond): Respond =>
  async (message, requestId, readBody) =>
    (await page(message)) ?? respond(message, requestId, readBody);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit());
// npm does not end this process when npm itself is killed.
const npm = process.ppid;
setInterval(() => process.ppid === npm || process.exit(), 1000);
start().catch(exitWith);
