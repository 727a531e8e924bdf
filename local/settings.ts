import { isIPv4 } from 'node:net';
import { columns } from '../terminal/style.ts';
import { UserError } from '../terminal/user-error.ts';
import { loopback } from './listen.ts';

const defaultPorts = { PORT: '3000', STORE_PORT: '8000', ISSUER_PORT: '9000' } as const;

/** What `npm start -- --help` prints. */
export const help = `\
Usage: npm start

Runs the service on this machine. Its settings are environment variables:

${columns([
  ...Object.entries(defaultPorts).map(([name, port]) => [
    `  ${name}`,
    `a port, ${port} by default; 0 picks a free one`,
  ]),
  ['  AWS_ENDPOINT_URL_DYNAMODB', 'the address of another store'],
  ['  AWS_REGION', 'its Region, us-east-1 by default'],
  ['  AWS_ACCESS_KEY_ID', 'its keys, with AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN'],
  ['  ADDRESS', 'the IPv4 address of store and issuer, if containers must reach them'],
])}

docs/local-service.md says more.`;

/** Reads a port from the environment, unchecked. */
export const portFrom = (variable: keyof typeof defaultPorts): string =>
  (process.env[variable] ?? '') || defaultPorts[variable];

/**
 * Reads the address of store and issuer from the environment.
 * @throws {UserError} unless it is an IPv4 address
 */
export const addressForContainers = (): string => {
  // A command that failed prints an empty one, on which a server would listen on all addresses.
  const address = process.env['ADDRESS'] ?? loopback;
  if (!isIPv4(address)) throw new UserError(`ADDRESS must be an IPv4 address; it is "${address}".`);
  return address;
};
