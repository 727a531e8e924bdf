import { createServer } from 'node:http';
import { startServer, stopServer } from '../../support/loopback-server.ts';

/** An issuer's key set on a server of this machine. */
export interface IssuerServer {
  readonly jwksUri: string;
  /** The text of the key set from now on; undefined: the issuer is down. */
  readonly publish: (keySet: string | undefined) => void;
  readonly stop: () => Promise<void>;
}

/** Starts an issuer that is down. */
export const startIssuer = async (): Promise<IssuerServer> => {
  let published: string | undefined;
  const server = createServer((request, response) => {
    if (published === undefined) request.socket.destroy();
    else response.end(published);
  });
  const url = await startServer(server);
  return {
    jwksUri: `${url}/keys`,
    publish: (keySet) => {
      published = keySet;
    },
    stop: () => stopServer(server),
  };
};
