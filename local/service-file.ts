import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { UserError } from '../cli/terminal/user-error.ts';

export const projectFolder = fileURLToPath(new URL('..', import.meta.url));
/** The folder of the local service's files; git ignores it. */
export const stateFolder = join(projectFolder, '.local');
/** How to reach the running service. */
export const serviceFile = join(stateFolder, 'service.json');

const fields = ['baseUrl', 'storeEndpoint', 'tableName', 'issuer', 'audience', 'keyFile'] as const;
export const serviceSchema = z.record(z.enum(fields), z.string());

/** How to reach the running local service. `keyFile` holds the issuer's private key, a JWK. */
export type Service = Readonly<z.infer<typeof serviceSchema>>;

/** Reads the service file; undefined if it is missing or damaged. */
export const readService = (): Service | undefined => {
  try {
    return serviceSchema.parse(JSON.parse(readFileSync(serviceFile, 'utf8')));
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

/** A variable's value; undefined if it is empty. */
const setting = (variable: string): string | undefined => (process.env[variable] ?? '') || undefined;

/** A placeholder: the embedded store has no Region. */
export const localRegion = 'us-east-1';

/** Keys that sign requests to a store. */
export type StoreCredentials = Readonly<
  Record<'accessKeyId' | 'secretAccessKey', string> & { sessionToken?: string }
>;

/** Placeholder keys for the embedded store, which checks none. */
export const localCredentials: StoreCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** The developer's own Region, if it is set and the developer named a store, or else the placeholder. */
export const storeRegion = (): string =>
  (ownStoreEndpoint() === undefined ? undefined : setting('AWS_REGION')) ?? localRegion;

/** The developer's own keys, if they are set and the developer named a store, or else placeholders. */
export const storeCredentials = (): StoreCredentials => {
  const [accessKeyId, secretAccessKey] = [setting('AWS_ACCESS_KEY_ID'), setting('AWS_SECRET_ACCESS_KEY')];
  const sessionToken = setting('AWS_SESSION_TOKEN');
  if (ownStoreEndpoint() === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return localCredentials;
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
};

/**
 * Reads the address of an AWS service from the environment.
 * @throws {UserError} when it is set, but not to a URL that begins with http:// or https://
 */
export const endpointFrom = (variable: string): string | undefined => {
  const text = setting(variable);
  if (text === undefined || (/^https?:\/\//.test(text) && URL.canParse(text))) return text;
  throw new UserError(
    `${variable} must be an address that begins with http:// or https://; it is "${text}".`,
  );
};

/** The store that the developer named in place of the embedded one. */
export const ownStoreEndpoint = (): string | undefined => endpointFrom('AWS_ENDPOINT_URL_DYNAMODB');
