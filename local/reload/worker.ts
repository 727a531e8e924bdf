// The process that loads the functions once and runs them for the gateway, which is in another process.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { loadProblem } from './load-problem.ts';
import { invocationSchema, type Report } from './worker-messages.ts';

// Another thread ends this process when the gateway was killed, because a function in an endless loop blocks
// the main thread.
const endWithParent = `
  const { parent } = require('node:worker_threads').workerData;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500);
`;
// Without the environment and the options of this process, because they can load a debugger into the thread.
const options = { env: {}, execArgv: [], workerData: { parent: Number(process.argv[2]) } };
new Worker(endWithParent, { eval: true, ...options }).unref();

const report = (message: Report, reported?: () => void): void => {
  process.send?.(message, undefined, undefined, reported);
};
const failToLoad = (error: unknown): void => {
  report({ type: 'load-failed', problem: loadProblem(error) }, () => process.exit(1));
};
// The gateway's first message says that the table has its plants.
const storeFilled = once(process, 'message');
process.on('uncaughtException', failToLoad);

try {
  const { api, warmUp, invoke } = await import('../api.ts');
  const { printError } = await import('../lambda/json-console.ts');
  await storeFilled;
  await warmUp();
  process.on('message', (message) => {
    const { id, folder, event } = v.parse(invocationSchema, message);
    invoke(folder, event).then(
      (result) => {
        report({ type: 'result', id, result });
      },
      () => {
        report({ type: 'failure', id });
      },
    );
  });
  // After the load, an error that nothing catches must not end the other requests.
  process.off('uncaughtException', failToLoad).on('uncaughtException', printError);
  report({ type: 'ready', api });
} catch (error) {
  failToLoad(error);
}
