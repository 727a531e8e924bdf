import type { Server } from 'node:http';
import { serverForPrograms } from '../server/cross-origin.ts';
import { algorithm, type SigningKey } from './signing-key.ts';

/** The path of the issuer's key set. */
export const jwksPath = '/.well-known/jwks.json';

/** Serves the public half of the key (RFC 7517 section 5). */
export const issuerServer = ({ kty, crv, x, kid }: SigningKey): Server => {
  const jwks = JSON.stringify({ keys: [{ kty, crv, x, kid, alg: algorithm, use: 'sig' }] });
  return serverForPrograms(({ method, url }, response) => {
    const isForKeySet = method === 'GET' && url === jwksPath;
    response
      .writeHead(isForKeySet ? 200 : 404, { 'content-type': 'application/json' })
      .end(isForKeySet ? jwks : '{}');
  });
};
