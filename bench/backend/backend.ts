import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { generate } from 'selfsigned';
import type { Caller } from '../../functions/http/caller-context.ts';
import { issuerOf } from '../../test/support/issuer.ts';
import { startServer } from '../../test/support/loopback-server.ts';
import { rsaKey } from '../../test/support/signing-keys.ts';
import { queryResponse, tableName } from './dynamodb-query.ts';

/** The stub of DynamoDB and of the token issuer, on one HTTPS server. */
export interface Backend {
  /** The environment variables of functions that use this backend. */
  readonly variables: Readonly<Record<string, string>>;
  /** Signs an access token (RFC 9068). */
  readonly tokenOf: (caller: Caller) => string;
  /** The number of distinct Queries since the last call. A repeated Query is a retry, and not counted. */
  readonly countQueries: () => number;
}

/**
 * Starts the server in the process that measures. The server is idle when a measurement ends, because a
 * function responds only after its last Query.
 * @param certificateFile the path to which the server's certificate is written; functions must trust it
 */
export const startBackend = async (certificateFile: string): Promise<Backend> => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    // The key is as long as the keys of AWS's endpoints, so that a TLS handshake costs as much.
    keyType: 'rsa',
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  writeFileSync(certificateFile, cert);
  const issuer = issuerOf(rsaKey('benchmark'), 'https://issuer.example.com', 'plant-store');
  // Responses are cached by request, because making a large response takes longer than sending it.
  const responses = new Map<string, Buffer>();
  const queries = new Set<string>();

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ keys: [issuer.key.jwk] }));
      return;
    }
    const body = await text(request);
    queries.add(body);
    const output = responses.get(body) ?? Buffer.from(queryResponse(body));
    responses.set(body, output);
    response
      .writeHead(200, {
        'content-type': 'application/x-amz-json-1.0',
        'content-length': output.length,
        'x-amzn-requestid': 'BENCHMARK',
        'x-amz-crc32': crc32(output),
      })
      .end(output);
  };

  const server = createServer({ cert, key }, (request, response) => {
    void respond(request, response);
  });
  const url = (await startServer(server)).replace('http:', 'https:');
  // A referenced server would keep this process alive.
  server.unref();
  return {
    variables: {
      NODE_EXTRA_CA_CERTS: certificateFile,
      AWS_ENDPOINT_URL_DYNAMODB: url,
      TABLE_NAME: tableName,
      TOKEN_PROFILE: 'rfc9068',
      TOKEN_ISSUER: issuer.name,
      TOKEN_ALGORITHMS: 'RS256,ES256,EdDSA',
      AUDIENCE: issuer.audience,
      GROUPS_CLAIM: 'groups',
      CALLER_ID_SALT: 'benchmark',
      JWKS_URI: `${url}/.well-known/jwks.json`,
    },
    tokenOf: ({ subject, groups, expiresAt }) =>
      issuer.token({
        claims: { sub: subject, groups, exp: expiresAt, client_id: 'benchmark', jti: crypto.randomUUID() },
      }),
    countQueries: () => {
      const { size } = queries;
      queries.clear();
      return size;
    },
  };
};
