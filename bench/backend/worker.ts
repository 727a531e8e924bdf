import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { backendSettings, type BackendMessage } from './backend.ts';
import { InvalidQuery, queryResponse } from './dynamodb-query.ts';
import { signatureChecker } from './signature.ts';

const { address, certificate, key, jwks, credentials, region, tableName, counts } =
  backendSettings.parse(workerData);
const isSigned = signatureChecker(credentials, region);

interface QueryResult {
  readonly status: number;
  readonly body: Buffer;
}

const handleDynamoDb = async (request: IncomingMessage): Promise<QueryResult> => {
  const body = await text(request);
  if (!(await isSigned(request.headers, body))) {
    return errorResult('InvalidSignatureException', 'The request signature does not match.');
  }
  if (request.headers['x-amz-target'] !== 'DynamoDB_20120810.Query') {
    return errorResult('UnknownOperationException', 'Only Query is supported.');
  }
  Atomics.add(counts, 0, 1);
  return cachedResult(body);
};

const errorResult = (type: string, message: string): QueryResult => ({
  status: 400,
  body: Buffer.from(JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message })),
});

// Cached by request, so that only the first round pays for making a large page.
const results = new Map<string, QueryResult>();

const cachedResult = (body: string): QueryResult => {
  const id = createHash('sha256').update(body).digest('base64');
  const result = results.get(id) ?? newResult(body);
  results.set(id, result);
  return result;
};

const newResult = (body: string): QueryResult => {
  try {
    return { status: 200, body: Buffer.from(queryResponse(tableName, body)) };
  } catch (error) {
    if (!(error instanceof InvalidQuery)) throw error;
    return errorResult('ValidationException', error.message);
  }
};

const send = (response: ServerResponse, { status, body }: QueryResult): void => {
  response
    .writeHead(status, {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': body.length,
      'x-amzn-requestid': 'BENCHMARK',
      'x-amz-crc32': crc32(body),
    })
    .end(body);
};

const server = createServer({ cert: certificate, key }, (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(jwks);
    return;
  }
  handleDynamoDb(request).then(
    (result) => {
      send(response, result);
    },
    (error: unknown) => {
      console.error(error);
      response.destroy();
    },
  );
});

server.listen(0, address, () => {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server has no port.');
  parentPort?.postMessage({ port: bound.port } satisfies BackendMessage);
});
