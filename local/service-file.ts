import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { UserError } from '../cli/terminal/user-error.ts';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url));
/** The folder of the local service's files; git ignores it. */
export const stateFolder = join(projectFolder, '.local');
/** How to reach the running service. */
export const serviceFile = join(stateFolder, 'service.json');
/** The issuer's private key, a JWK. */
export const keyFile = join(stateFolder, 'issuer-key.json');

const fields = ['baseUrl', 'storeEndpoint', 'tableName', 'issuer', 'audience', 'keyFile'] as const;
const serviceSchema = v.object(v.entriesFromList(fields, v.string()));

/** How to reach the running local service. */
export type Service = Readonly<v.InferOutput<typeof serviceSchema>>;

/** @throws {Error} unless the text is that of a service file */
export const parseService = (text: string): Service => v.parse(serviceSchema, JSON.parse(text));

/** Reads the service file; undefined if it is missing or damaged. */
export const readService = (): Service | undefined => {
  try {
    return parseService(readFileSync(serviceFile, 'utf8'));
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
  const { [variable]: text = '' } = process.env;
  if (text === '') return undefined;
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new UserError(
    `${variable} must be an address that begins with http:// or https://; it is "${text}".`,
  );
};
