import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { UserError } from '../cli/terminal/user-error.ts';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url));
/** The folder of the local service's files; git ignores it. */
export const stateFolder = join(projectFolder, '.local');
/** How to reach the running service. */
const serviceFile = join(stateFolder, 'service.json');
/** The issuer's private key, a JWK. */
export const keyFile = join(stateFolder, 'issuer-key.json');
/** The path of the issuer's key set. */
export const jwksPath = '/.well-known/jwks.json';

const fields = ['baseUrl', 'storeEndpoint', 'tableName', 'issuer', 'audience', 'keyFile'] as const;
const serviceSchema = v.object(v.entriesFromList(fields, v.string()));

/** How to reach the running local service. */
export type Service = Readonly<v.InferOutput<typeof serviceSchema>>;

/** Reads the service file; undefined if it is missing or damaged. */
export const readService = (file = serviceFile): Service | undefined => {
  try {
    return v.parse(serviceSchema, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
};

/** @throws {UserError} when the local service is not running */
export const runningService = (): Service => {
  const service = readService();
  if (service !== undefined) return service;
  throw new UserError('The local service is not running. Start it with npm start.');
};

/**
 * Removes the service file that a killed service left.
 * @param kid the id of this checkout's key
 * @throws {UserError} when another service of this checkout is running, with its address
 */
export const refuseSecondStart = async (kid: string): Promise<void> => {
  const service = readService();
  if (service !== undefined && (await publishes(service.issuer, kid)))
    throw new UserError(
      `Another npm start of this checkout runs at ${service.baseUrl}. Use it, or stop it first.`,
    );
  rmSync(serviceFile, { force: true });
};

/** Whether an issuer publishes a key, or does not respond, because Ctrl-Z suspended it. */
const publishes = async (issuer: string, kid: string): Promise<boolean> => {
  try {
    const response = await fetch(`${issuer}${jwksPath}`, { signal: AbortSignal.timeout(1000) });
    return (await response.text()).includes(kid);
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError';
  }
};

/** Writes the service file, which is removed when this process ends. */
export const writeService = (service: Service): void => {
  writeFileSync(serviceFile, JSON.stringify(service, undefined, 2), { flag: 'wx' });
  process.once('exit', () => {
    rmSync(serviceFile, { force: true });
  });
};

/** Region and keys of every client of the local store: placeholders, which a local store accepts. */
export const storeLogin = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
};

/**
 * Reads the address of an AWS service from the environment; undefined if it is not set or empty.
 * @throws {UserError} when it is set, but not to a URL that begins with http:// or https://
 */
export const endpointFrom = (variable: string): string | undefined => {
  const { [variable]: value = '' } = process.env;
  if (value === '') return undefined;
  if (/^https?:\/\//.test(value) && URL.canParse(value)) return value;
  throw new UserError(
    `${variable} must be an address that begins with http:// or https://; it is "${value}".`,
  );
};
