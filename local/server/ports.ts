import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIPv4 } from 'node:net';
import * as v from 'valibot';
import { codeOf, UserError } from '../../terminal/user-error.ts';

/** The address on which servers listen unless containers must reach them. Other machines cannot reach it. */
export const loopback = '127.0.0.1';

const defaultPorts = { PORT: '3000', STORE_PORT: '8000', ISSUER_PORT: '9000' } as const;

/** A port, and the variable of the environment that sets it. */
export interface Port {
  readonly variable: keyof typeof defaultPorts;
  readonly value: string;
}

/** Reads a port from the environment. */
export const portFrom = (variable: Port['variable']): Port => ({
  variable,
  value: (process.env[variable] ?? '') || defaultPorts[variable],
});

/**
 * Listens on the loopback address, or on another address of this machine.
 * @param port if its value is 0, the system chooses a free port
 * @returns the server's URL
 * @throws {UserError} when the port or the address cannot be used
 */
export const listen = async (server: Server, port: Port, address = loopback): Promise<string> => {
  if (!isIPv4(address))
    throw new UserError(
      `ADDRESS must be an IPv4 address, but is "${address}". ` +
        'If you read it from the interface docker0, start Docker first.',
    );
  try {
    await once(server.listen({ port: port.value, host: address }), 'listening');
  } catch (error) {
    const code = codeOf(error) ?? String(error);
    const problem = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${code})`;
    const setting = address === loopback ? port.variable : `${port.variable} or ADDRESS`;
    throw new UserError(`Port ${port.value} of ${address} ${problem}. Set ${setting} to another one.`);
  }
  return `http://${address}:${String(v.parse(v.object({ port: v.number() }), server.address()).port)}`;
};
