import { createServer } from 'node:http';
import { jwksPath } from '../../../local/issuer/issuer.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { ecKey, edKey, rsaKey, type SigningKey } from '../../support/tokens.ts';
import { issuerKeys, type IssuerKey, type IssuerState } from './steps.ts';

const make = { first: rsaKey, second: ecKey, third: edKey } as const;
const keysNamed = (prefix: string): Readonly<Record<IssuerKey, SigningKey>> => ({
  first: make.first(`${prefix}first`),
  second: make.second(`${prefix}second`),
  third: make.third(`${prefix}third`),
});

/** The issuer's keys, and a stranger's of the same types. */
export const signingKeys = { issuer: keysNamed(''), stranger: keysNamed('stranger-') } as const;

/** The server with the issuer's key set. */
export interface KeySetServer {
  /** Its URL without a path. */
  readonly origin: string;
  readonly url: string;
  readonly publish: (keys: readonly IssuerKey[], state: IssuerState) => void;
  /** How often the key set was fetched. */
  readonly fetches: () => number;
  readonly stop: () => Promise<void>;
}

export const startKeySetServer = async (): Promise<KeySetServer> => {
  let fetches = 0;
  let keys: readonly IssuerKey[] = issuerKeys;
  let state: IssuerState = 'works';
  const server = createServer((request, response) => {
    if (request.url !== jwksPath) {
      response.writeHead(404).end();
      return;
    }
    fetches += 1;
    if (state === 'does not respond') {
      request.socket.destroy();
      return;
    }
    const published = state === 'works' ? keys.map((key) => signingKeys.issuer[key].jwk) : [];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }));
  });
  const origin = await startServer(server);
  return {
    origin,
    url: `${origin}${jwksPath}`,
    publish: (nextKeys, nextState) => {
      keys = nextKeys;
      state = nextState;
    },
    fetches: () => fetches,
    stop: () => stopServer(server),
  };
};
