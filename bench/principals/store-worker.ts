// A stand-in for DynamoDB in its own thread, which is not in the function's control group.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { loopback } from '../environment.ts';
import { nameOrder, queryResponse } from './tables.ts';

const shape = z.object({ itemBytes: z.number(), plants: z.number(), names: nameOrder }).parse(workerData);

const counts = { queries: 0, connections: 0 };
parentPort?.on('message', () => {
  parentPort?.postMessage(counts);
});

const server = createServer((request, response) => {
  counts.queries += 1;
  void text(request).then((body) => {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(queryResponse(shape, body));
  });
}).on('connection', () => {
  counts.connections += 1;
});
server.listen(0, loopback, () => {
  const bound = server.address();
  if (typeof bound === 'object' && bound !== null) parentPort?.postMessage(bound.port);
});
