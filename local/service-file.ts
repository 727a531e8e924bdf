import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectFolder } from '../infra/bundle.ts';
import { UserError } from '../cli/terminal/user-error.ts';

/** The folder of the local service's files, such as its lock; git ignores it. */
export const stateFolder = join(projectFolder, '.local');

/** How to reach the running service. */
export const serviceFile = join(stateFolder, 'service.json');
/** The bundles of the functions and of the stack; removed when the process ends. */
export const bundlesFolder = join(stateFolder, 'bundles');
/** The issuer's private key. */
export const issuerKeyFile = join(stateFolder, 'issuer-key.json');

const serviceSchema = z.object({
  baseUrl: z.string(),
  storeEndpoint: z.string(),
  tableName: z.string(),
  issuer: z.string(),
  audience: z.string(),
  /** The issuer's private key, a JWK. */
  keyFile: z.string(),
});

/** How to reach the running local service. */
export type Service = Readonly<z.infer<typeof serviceSchema>>;

/** Reads the text of the service file. */
export const parseService = (text: string): Service => serviceSchema.parse(JSON.parse(text));

/** The file that `samconfig.toml` names: the variables that SAM sets for functions in its containers. */
const containerVariablesFile = join(stateFolder, 'container-variables.json');

/**
 * Writes the service file, which the holder of the lock removes, and the variables for SAM, with addresses
 * that containers can reach: in a container, 127.0.0.1 is the container itself.
 */
export const writeService = (service: Service, variables: Readonly<Record<string, string>>): void => {
  // The issuer's name stays as in the tokens: containers compare it, and do not connect to it.
  const reachable = (name: string, value: unknown): unknown =>
    typeof value === 'string' && name !== 'TOKEN_ISSUER'
      ? value.replace('//127.0.0.1:', '//host.docker.internal:')
      : value;
  writeFileSync(serviceFile, `${JSON.stringify(service, null, 2)}\n`);
  writeFileSync(containerVariablesFile, JSON.stringify({ Parameters: variables }, reachable, 2));
};

/**
 * Reads the service file.
 * @throws {UserError} when the local service is not running
 */
export const runningService = (): Service => {
  try {
    return parseService(readFileSync(serviceFile, 'utf8'));
  } catch {
    throw new UserError('The local service is not running. Start it with npm start.');
  }
};

/** The Region of stores and functions on this machine. */
export const localRegion = process.env['AWS_REGION'] ?? 'us-east-1';

/** Keys that sign requests to a store. */
export interface StoreCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Placeholder keys for the embedded store, which checks none. */
export const localCredentials: StoreCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** The developer's own keys, if they are set and the developer named a store, or else placeholders. */
export const storeCredentials = (): StoreCredentials => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
  const { AWS_SESSION_TOKEN: sessionToken } = process.env;
  if (ownStoreEndpoint() === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return localCredentials;
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
};

/**
 * Reads the address of an AWS service from the environment.
 * @throws {UserError} when it is set, but not to a URL that begins with http:// or https://
 */
export const endpointFrom = (variable: string): string | undefined => {
  const text = (process.env[variable] ?? '') || undefined;
  if (text !== undefined && !(/^https?:\/\//.test(text) && URL.canParse(text)))
    throw new UserError(
      `${variable} must be an address that begins with http:// or https://; it is "${text}".`,
    );
  return text;
};

/** The store that the developer named in place of the embedded one. */
export const ownStoreEndpoint = (): string | undefined => endpointFrom('AWS_ENDPOINT_URL_DYNAMODB');
