import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { endWith, UserError } from '../../terminal/user-error.ts';
import { issuerServer, loadOrCreateKey } from '../issuer/issuer.ts';
import { listen, loopback, portFrom } from '../listen.ts';
import { projectFolder } from '../project.ts';
import { announce, issuerKeyFile } from '../service-file.ts';
import { settingOf, type Stack } from '../stack/stack.ts';
import { type Synthesis, synthesize } from '../stack/synthesize.ts';
import { fillStore, startEmbeddedStore } from '../store/store.ts';

const settingsFile = 'local/sam/env.json';

let synthesis: Synthesis | undefined;
let sam: ChildProcess | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (sam === undefined) void Promise.resolve(synthesis?.end()).then(() => process.exit(0));
    // SAM then stops its containers. A second signal would interrupt that. This process exits after SAM.
    else if (!sam.killed) sam.kill('SIGTERM');
  });
}
process.once('exit', () => void synthesis?.end());

const synthesizeStack = (): Promise<Stack> => {
  synthesis = synthesize();
  return synthesis.stack;
};

const start = async (): Promise<void> => {
  const settings = readSettings();
  const port = await freePort(portFrom('PORT', 3000));
  const address = await addressForContainers();
  await checkSam();
  const key = await loadOrCreateKey(issuerKeyFile);

  await listen(issuerServer(key), settings.JWKS_URI, `the port of JWKS_URI in ${settingsFile}`, address);
  const [store, stack] = await Promise.all([
    startEmbeddedStore(
      settings.AWS_ENDPOINT_URL_DYNAMODB,
      `the port of AWS_ENDPOINT_URL_DYNAMODB in ${settingsFile}`,
      address,
    ),
    synthesizeStack(),
  ]);
  await fillStore(store, { ...stack.table, name: settings.TABLE_NAME });

  const baseUrl = `http://${loopback}:${String(port)}`;
  announce({
    baseUrl,
    storeEndpoint: store.endpoint,
    tableName: settings.TABLE_NAME,
    issuer: settingOf(stack, 'TOKEN_ISSUER'),
    audience: settingOf(stack, 'AUDIENCE'),
    keyFile: issuerKeyFile,
  });
  console.log(`The store and the token issuer are ready for containers at ${address}. When SAM runs, in another terminal:

  curl -H "Authorization: Bearer $(npm run -s token -- alice --group gardeners)" ${baseUrl}/plants
  sam local invoke ListPlants --event local/sam/events/list-plants.json

Stop with Ctrl-C.
`);

  sam = spawn('sam', ['local', 'start-api', '--port', String(port), ...process.argv.slice(2)], {
    cwd: projectFolder,
    stdio: 'inherit',
    // A process group of its own, so that the terminal's signal does not reach SAM as well.
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

/** The variables that SAM sets for the functions, with the ports of the store and the issuer. */
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
 * The address at which containers reach this machine: that of Docker's bridge, or loopback with Docker Desktop.
 * @throws {UserError} when no container engine responds
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
    // Right after its creation the bridge has no gateway yet, only a subnet, whose first address it will get.
    return bridge.replace(/0\/\d+$/, '1');
  } catch {
    throw new UserError('No container engine responds. Start Docker, then run npm run sam again.');
  }
};

/** Checks that a port is free. For 0, which SAM does not support, it finds a free one. */
const freePort = async (port: number): Promise<number> => {
  const server = createServer();
  const free = await listen(server, port, 'PORT');
  await promisify(server.close.bind(server))();
  return free;
};

start().catch(endWith);
