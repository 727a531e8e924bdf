import { isIPv4 } from 'node:net';
import { UserError } from '../cli/terminal/user-error.ts';
import { loopback } from './listen.ts';

const defaultPorts = { PORT: '3000', STORE_PORT: '8000', ISSUER_PORT: '9000' } as const;

/** Reads a port from the environment, unchecked. */
export const portFrom = (variable: keyof typeof defaultPorts): string =>
  (process.env[variable] ?? '') || defaultPorts[variable];

/**
 * Reads the address of store and issuer from the environment.
 * @throws {UserError} unless it is an IPv4 address
 */
export const addressForContainers = (): string => {
  const address = process.env['ADDRESS'] ?? loopback;
  if (isIPv4(address)) return address;
  throw new UserError(
    address === ''
      ? 'ADDRESS is empty: this machine has no docker0. Start Docker, or run npm start without ADDRESS.'
      : `ADDRESS must be an IPv4 address; it is "${address}".`,
  );
};
