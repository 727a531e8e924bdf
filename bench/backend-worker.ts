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

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const answerDynamoDb = async (request: IncomingMessage): Promise<Answer> => {
  const body = await text(request);
  if (!(await isSigned(request.headers, body))) {
    return refusal('InvalidSignatureException', 'The request signature does not match.');
  }
  if (request.headers['x-amz-target'] !== 'DynamoDB_20120810.Query') {
    return refusal('UnknownOperationException', 'Only Query is known.');
  }
  Atomics.add(counts, 0, 1);
  return queryAnswer(body);
};

const refusal = (type: string, message: string): Answer => ({
  status: 400,
  body: Buffer.from(JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message })),
});

// Kept by request, so that making a large page costs no round but the first.
const answers = new Map<string, Answer>();

const queryAnswer = (body: string): Answer => {
  const id = createHash('sha256').update(body).digest('base64');
  const answer = answers.get(id) ?? newAnswer(body);
  answers.set(id, answer);
  return answer;
};

const newAnswer = (body: string): Answer => {
  try {
    return { status: 200, body: Buffer.from(queryResponse(tableName, body)) };
  } catch (error) {
    if (!(error instanceof InvalidQuery)) throw error;
    return refusal('ValidationException', error.message);
  }
};

const send = (response: ServerResponse, { status, body }: Answer): void => {
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
  answerDynamoDb(request).then(
    (answer) => {
      send(response, answer);
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
