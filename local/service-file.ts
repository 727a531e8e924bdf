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

/** Region and keys of a store: the developer's own, as far as set, if they named it; else placeholders. */
export const storeLogin = (
  isNamed: boolean,
): { readonly region: string; readonly credentials: StoreCredentials } => {
  const own = (variable: string): string | undefined => (isNamed ? setting(variable) : undefined);
  const region = own('AWS_REGION') ?? localRegion;
  const [accessKeyId, secretAccessKey] = [own('AWS_ACCESS_KEY_ID'), own('AWS_SECRET_ACCESS_KEY')];
  const sessionToken = own('AWS_SESSION_TOKEN');
  if (accessKeyId === undefined || secretAccessKey === undefined)
    return { region, credentials: localCredentials };
  const token = sessionToken !== undefined && { sessionToken };
  return { region, credentials: { accessKeyId, secretAccessKey, ...token } };
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
