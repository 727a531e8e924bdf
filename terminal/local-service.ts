import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { UserError } from './user-error.ts';

// A static import reads every export of the module, which loads undici and delays the start.
const { get } = process.getBuiltinModule('node:http');

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

/** Milliseconds for a running service to respond, also on a busy machine. */
const responseTimeout = 2000;
/** Far more than the local issuer's key set has. */
const maxResponseLength = 10_000;
const jwksSchema = v.object({ keys: v.array(v.object({ kid: v.string() })) });

/** Whether an issuer publishes a key. After a service was killed, any program can have its issuer's port. */
const publishes = async (issuer: string, kid: string): Promise<boolean> => {
  try {
    const signal = AbortSignal.timeout(responseTimeout);
    const sent = get(`${issuer}${jwksPath}`, { agent: false, signal });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject);
    });
    let text = '';
    for await (const part of response) {
      text += String(part);
      if (text.length > maxResponseLength) return false;
    }
    return v.parse(jwksSchema, JSON.parse(text)).keys.some((key) => key.kid === kid);
  } catch {
    return false;
  }
};

/** Writes the service file, which is removed when this process ends. */
export const writeService = (service: Service): void => {
  writeFileSync(serviceFile, JSON.stringify(service, undefined, 2), { flag: 'wx' });
  process.once('exit', () => {
    // A start while this process was suspended (Ctrl-Z) has replaced the file.
    if (readService()?.issuer === service.issuer) rmSync(serviceFile, { force: true });
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
