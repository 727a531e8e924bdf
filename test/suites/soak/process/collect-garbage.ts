// Loaded into `npm start` before its own code: on SIGUSR2, its main thread and its workers collect their garbage, and it
// prints how many bytes they hold.
import { setTimeout as delay } from 'node:timers/promises';
import { BroadcastChannel, isMainThread, type Worker } from 'node:worker_threads';

const collect = async (): Promise<number> => {
  globalThis.gc?.();
  // The second collection frees the buffers whose owners the first has collected.
  await delay(0);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const requests = new BroadcastChannel('collect-garbage');
const answers = new BroadcastChannel('collected-garbage');
requests.unref();
answers.unref();

if (isMainThread) {
  const workers = new Set<Worker>();
  process.on('worker', (worker) => {
    workers.add(worker);
    worker.once('exit', () => workers.delete(worker));
  });
  let sum = 0;
  let missing = 0;
  let count = 0;
  const add = (bytes: number): void => {
    sum += bytes;
    missing -= 1;
    if (missing > 0) return;
    count += 1;
    console.log(`Heap ${String(count)}: ${String(sum)} bytes`);
  };
  answers.onmessage = ({ data }: { readonly data: unknown }) => {
    add(Number(data));
  };
  process.on('SIGUSR2', () => {
    sum = 0;
    missing = 1 + workers.size;
    requests.postMessage(undefined);
    void collect().then(add);
  });
  console.log(`Process ${String(process.pid)} collects garbage.`);
} else {
  requests.onmessage = () => {
    void collect().then((bytes) => {
      answers.postMessage(bytes);
    });
  };
}
