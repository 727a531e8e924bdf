import { isIPv4 } from 'node:net';
import { columns } from '../terminal/style.ts';
import { UserError } from '../terminal/user-error.ts';
import { loopback } from './listen.ts';

const defaultPorts = { PORT: 3000, STORE_PORT: 8000, ISSUER_PORT: 9000 } as const;

/** What `npm start -- --help` prints. */
export const help = `\
Usage: npm start

Runs the service on this machine. Its settings are environment variables:

${columns([
  ...Object.entries(defaultPorts).map(([name, port]) => [
    `  ${name}`,
    `a port, ${String(port)} by default; 0 picks a free one`,
  ]),
  ['  AWS_ENDPOINT_URL_DYNAMODB', 'the address of another store'],
  ['  AWS_REGION', 'its Region, us-east-1 by default'],
  ['  AWS_ACCESS_KEY_ID', 'its keys, with AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN'],
  ['  ADDRESS', 'the IPv4 address of store and issuer, if containers must reach them'],
])}

docs/local-service.md says more.`;

/**
 * Reads a port from the environment. 0 makes the system choose a free one.
 * @throws {UserError} unless it is a whole number from 0 to 65535
 */
export const portFrom = (variable: keyof typeof defaultPorts): number => {
  const text = (process.env[variable] ?? '') || String(defaultPorts[variable]);
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new UserError(`${variable} must be a port from 0 to 65535; it is "${text}".`);
  }
  return Number(text);
};

/**
 * Reads the address of servers that containers must reach, from `ADDRESS`; the loopback address unless set.
 * @throws {UserError} unless it is an IPv4 address
 */
export const addressForContainers = (): string => {
  // An empty one is refused: it is what a command in its place prints when it fails.
  const address = process.env['ADDRESS'] ?? loopback;
  if (!isIPv4(address)) throw new UserError(`ADDRESS must be an IPv4 address; it is "${address}".`);
  return address;
};
