import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { takeNoArguments } from '../terminal/no-arguments.ts';
import { print } from '../terminal/output.ts';
import { exitWith } from '../terminal/user-error.ts';
import { apiPage } from './page/api-page.ts';
import { gatewayServer } from './gateway/http-api.ts';
import { issuerServer, readKey, signToken } from './issuer/issuer-server.ts';
import { listen, loopback } from './server/ports.ts';
import { runApi } from './reload/reloading-api.ts';
import * as files from '../terminal/local-service.ts';
import { sampleUsers } from './store/sample-plants.ts';
import { embeddedStore, fillStore } from './store/embedded-store.ts';

/** AWS settings of the machine do not apply, nor does its proxy to the address of store and issuer. */
const replaceMachineSettings = (address: string): void => {
  // The stack sets REQUIRED_SCOPE for some stages only.
  const others = Object.entries(process.env).filter(([name]) => !/^AWS_|^REQUIRED_SCOPE$/.test(name));
  process.env = {
    ...Object.fromEntries(others),
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    AWS_REGION: files.storeLogin.region,
    AWS_ACCESS_KEY_ID: files.storeLogin.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: files.storeLogin.credentials.secretAccessKey,
    no_proxy: `${process.env['no_proxy'] ?? process.env['NO_PROXY'] ?? ''},${address}`,
  };
};

const start = async (): Promise<void> => {
  takeNoArguments('npm start', 'Runs the service on this machine. docs/local-service.md has its settings.');
  const { ADDRESS: address = loopback } = process.env;
  const ownStore = files.endpointFrom('AWS_ENDPOINT_URL_DYNAMODB');
  replaceMachineSettings(address);

  // With `recursive`, Node.js reports a folder that is missing where this one is read-only.
  if (!existsSync(files.stateFolder)) mkdirSync(files.stateFolder);
  const key = readKey(files.keyFile);
  await files.refuseSecondStart(key.kid);
  const issuer = await listen(issuerServer(key), 'ISSUER_PORT', address);
  const storeEndpoint = ownStore ?? (await listen(embeddedStore(), 'STORE_PORT', address));
  const tableName = 'PlantStore-local';
  const audience = 'plant-store';

  // As the stack (infra/) gives them to its functions, with this machine's values.
  const variables = (reachable = (url: string): string => url) => ({
    AWS_ENDPOINT_URL_DYNAMODB: reachable(storeEndpoint),
    TABLE_NAME: tableName,
    TOKEN_PROFILE: 'rfc9068',
    TOKEN_ISSUER: issuer,
    JWKS_URI: reachable(`${issuer}${files.jwksPath}`),
    TOKEN_ALGORITHMS: 'EdDSA',
    AUDIENCE: audience,
    GROUPS_CLAIM: 'groups',
    CALLER_ID_SALT: 'local',
  });
  const tokenOf = ({ name, groups }: (typeof sampleUsers)[number]): Promise<string> =>
    signToken(key, { iss: issuer, aud: audience, sub: name, groups });
  const page = apiPage(tokenOf);
  const respond = await runApi(variables(), fillStore(storeEndpoint, tableName));
  const gateway = gatewayServer(async (...request) => (await page(request[0])) ?? respond(...request));
  const baseUrl = await listen(gateway, 'PORT');
  // For functions in containers (samconfig.toml), where 127.0.0.1 is the container itself.
  const Parameters = variables((url) => url.replace(`//${loopback}:`, '//host.docker.internal:'));
  writeFileSync(join(files.stateFolder, 'container-variables.json'), JSON.stringify({ Parameters }));
  // Another start of this checkout may have been faster.
  await files.refuseSecondStart(key.kid);
  files.writeService({ baseUrl, storeEndpoint, tableName, issuer, audience, keyFile: files.keyFile });
  const [user] = sampleUsers;
  print(`\
The Plant Store is ready at ${baseUrl}

  docs    ${baseUrl}/docs
  store   ${storeEndpoint} (table ${tableName})
  issuer  ${issuer}

List the plants of ${user.name} and of the group ${user.groups.join(', ')}:

  curl --noproxy '*' -H 'Authorization: Bearer ${await tokenOf(user)}' '${baseUrl}/plants'

Another user's token: npm run -s token -- carol --group gardeners
Stop with Ctrl-C.
`);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit());
// npm that is killed alone leaves this process behind.
const npm = process.ppid;
setInterval(() => process.ppid === npm || process.exit(), 1000);
start().catch(exitWith);
