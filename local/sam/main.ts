import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { endWith, UserError } from '../../terminal/user-error.ts';
import { issuerServer, loadOrMakeKey } from '../issuer/issuer.ts';
import { listen, loopback, portFrom } from '../listen.ts';
import { projectFolder } from '../project.ts';
import { settingOf } from '../stack/stack.ts';
import { announce, makeStateFolder, stateFolder } from '../service-file.ts';
import { fillStore, startEmbeddedStore } from '../store/store.ts';
import { exitWithSynthesis, synthesize } from '../stack/synthesize.ts';

const settingsFile = 'local/sam/env.json';

let sam: ChildProcess | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (sam === undefined) exitWithSynthesis();
    // It ends its containers then, and this process ends with it; a second signal would stop it from doing so.
    else if (!sam.killed) sam.kill('SIGTERM');
  });
}

const start = async (): Promise<void> => {
  const settings = readSettings();
  const port = await freePort(portFrom('PORT', 3000));
  const address = await addressForContainers();
  await checkSam();
  makeStateFolder();
  const keyFile = join(stateFolder, 'issuer-key.json');
  const key = await loadOrMakeKey(keyFile);

  await listen(issuerServer(key), settings.JWKS_URI, `the port of JWKS_URI in ${settingsFile}`, address);
  const [store, stack] = await Promise.all([
    startEmbeddedStore(
      settings.AWS_ENDPOINT_URL_DYNAMODB,
      `the port of AWS_ENDPOINT_URL_DYNAMODB in ${settingsFile}`,
      address,
    ),
    synthesize(),
  ]);
  await fillStore(store, { ...stack.table, name: settings.TABLE_NAME });

  const baseUrl = `http://${loopback}:${String(port)}`;
  announce({
    baseUrl,
    storeEndpoint: store.endpoint,
    tableName: settings.TABLE_NAME,
    issuer: settingOf(stack, 'TOKEN_ISSUER'),
    audience: settingOf(stack, 'AUDIENCE'),
    keyFile,
  });
  console.log(`Store and token issuer are ready for containers at ${address}. Once SAM runs, in another terminal:

  curl -H "Authorization: Bearer $(npm run -s token -- alice --group gardeners)" ${baseUrl}/plants
  sam local invoke ListPlants --event local/sam/events/list-plants.json

Stop with Ctrl-C.
`);

  sam = spawn('sam', ['local', 'start-api', '--port', String(port), ...process.argv.slice(2)], {
    cwd: projectFolder,
    stdio: 'inherit',
    // A process group of its own, so that the terminal's signal does not reach it too.
    detached: true,
  });
  sam.once('exit', (code) => process.exit(sam?.killed === true ? 0 : (code ?? 1)));
};

const portOf = z
  .url()
  .transform((url) => Number(new URL(url).port))
  .refine((port) => port > 0);

const settingsSchema = z.object({
  Parameters: z.object({
    AWS_ENDPOINT_URL_DYNAMODB: portOf,
    JWKS_URI: portOf,
    TABLE_NAME: z.string().min(1),
  }),
});

/** What SAM tells the functions: the ports of the store and the issuer, and the name of the table. */
const readSettings = (): z.infer<typeof settingsSchema>['Parameters'] => {
  try {
    return settingsSchema.parse(JSON.parse(readFileSync(join(projectFolder, settingsFile), 'utf8')))
      .Parameters;
  } catch {
    throw new UserError(
      `${settingsFile} must hold Parameters with AWS_ENDPOINT_URL_DYNAMODB and JWKS_URI, each a URL with a port, and TABLE_NAME.`,
    );
  }
};

const run = promisify(execFile);

const checkSam = async (): Promise<void> => {
  try {
    await run('sam', ['--version']);
  } catch {
    throw new UserError('The command sam does not work. Install the AWS SAM CLI.');
  }
};

const docker = async (...parameters: readonly string[]): Promise<string> =>
  (await run('docker', parameters)).stdout.trim();

/**
 * Where containers reach this machine: Docker's bridge and nothing wider; Docker Desktop leads them to loopback.
 * @throws {UserError} when no container engine answers
 */
const addressForContainers = async (): Promise<string> => {
  try {
    const system = await docker('info', '--format', '{{.OperatingSystem}}');
    if (process.platform !== 'linux' || system === 'Docker Desktop') return loopback;
    const bridge = await docker(
      'network',
      'inspect',
      'bridge',
      '--format',
      '{{with index .IPAM.Config 0}}{{or .Gateway .Subnet}}{{end}}',
    );
    // An engine that has just made the bridge knows the network only: the bridge has its first address.
    return bridge.replace(/0\/\d+$/, '1');
  } catch {
    throw new UserError('No container engine answers. Start Docker, then npm run sam again.');
  }
};

/** The port itself, unless it is taken; a free one for 0, which SAM does not know. */
const freePort = async (port: number): Promise<number> => {
  const server = createServer();
  const free = await listen(server, port, 'PORT');
  await promisify(server.close.bind(server))();
  return free;
};

start().catch(endWith);
