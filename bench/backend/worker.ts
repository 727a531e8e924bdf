import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { listen } from '../../local/listen.ts';
import { backendSettings } from './backend.ts';
import { queryResponse } from './dynamodb-query.ts';
import { isSigned } from './signature.ts';

const { certificate, key, jwks, counts } = backendSettings.parse(workerData);

// Cached by request: making a large response takes longer than sending it.
const responses = new Map<string, Buffer>();

const responseTo = (body: string): Buffer => {
  const response = responses.get(body) ?? Buffer.from(queryResponse(body));
  responses.set(body, response);
  return response;
};

const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(jwks);
    return;
  }
  const body = await text(request);
  if (request.headers['x-amz-target'] !== 'DynamoDB_20120810.Query') {
    throw new Error('Only Query is supported.');
  }
  if (!(await isSigned(request.headers, body))) {
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' });
    response.end('{"__type":"com.amazon.coral.service#InvalidSignatureException"}');
    return;
  }
  Atomics.add(counts, 0, 1);
  const output = responseTo(body);
  response
    .writeHead(200, {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': output.length,
      'x-amzn-requestid': 'BENCHMARK',
      'x-amz-crc32': crc32(output),
    })
    .end(output);
};

const server = createServer({ cert: certificate, key }, (request, response) => {
  respond(request, response).catch((error: unknown) => {
    // If a variant fails for it, `checkSameResponses` ends the run before anything is measured.
    console.error(error);
    response.destroy();
  });
});
parentPort?.postMessage(await listen(server, 0, 'PORT'));
