import { isIPv4 } from 'node:net';
import { UserError } from '../cli/terminal/user-error.ts';
import { loopback } from './listen.ts';

const defaultPorts = { PORT: '3000', STORE_PORT: '8000', ISSUER_PORT: '9000' } as const;

/** What `npm start -- --help` prints. */
export const help = `\
Usage: npm start

Runs the service on this machine. Its settings are environment variables:

  PORT, STORE_PORT, ISSUER_PORT  ports: 3000, 8000 and 9000 by default; 0: any free port
  AWS_ENDPOINT_URL_DYNAMODB      the address of another store, http or https; a missing
                                 table is created and filled there
  AWS_REGION                     its Region, us-east-1 by default
  AWS_ACCESS_KEY_ID              its keys, with AWS_SECRET_ACCESS_KEY and
                                 AWS_SESSION_TOKEN
  ADDRESS                        IPv4 address of store and issuer, if containers must
                                 reach them (SAM)

See docs/local-service.md.`;

/** Reads a port from the environment, unchecked. */
export const portFrom = (variable: keyof typeof defaultPorts): string =>
  (process.env[variable] ?? '') || defaultPorts[variable];

/**
 * Reads the address of store and issuer from the environment.
 * @throws {UserError} unless it is an IPv4 address
 */
export const addressForContainers = (): string => {
  // Empty if set by a command that failed; a server would then listen on all addresses.
  const address = process.env['ADDRESS'] ?? loopback;
  if (!isIPv4(address)) throw new UserError(`ADDRESS must be an IPv4 address; it is "${address}".`);
  return address;
};
