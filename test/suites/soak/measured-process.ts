// Loaded into `npm start` before its own code: serves the size of its main thread's heap, and prints where.
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';
import { listen, loopback } from '../../../local/listen.ts';
import { heapInUse } from './measured.ts';

if (isMainThread) {
  const server = createServer((_request, response) => {
    void heapInUse().then((bytes) => response.end(String(bytes)));
  });
  console.log(`Heap: http://${loopback}:${String(await listen(server, 0, 'PORT'))}`);
}
