// The process of one function: invokes the handler for each message of its parent, on a clock that the parent sets forward.
import { pathToFileURL } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from '../../../../local/lambda/invocation.ts';
import { lambdaContext } from '../../../support/lambda-context.ts';
import type { Invocation } from './function-process.ts';
import type { Measurement } from './measurement.ts';
import { socketsOf } from './process-group.ts';

type Handler = (event: unknown, context: object) => unknown;

const [file = '', exportName = ''] = process.argv.slice(2);

const clock = Date.now.bind(Date);
let aheadMs = 0;
// Before the bundle is loaded, so that it has no other clock.
Date.now = () => clock() + aheadMs;

const ownSockets = socketsOf('self');

// As on Lambda, where all entries are in one log.
console.warn = console.error = console.log;

let warnings = 0;
process.on('warning', () => {
  warnings += 1;
});

const isHandler = (value: unknown): value is Handler => typeof value === 'function';
const exported: unknown = await import(pathToFileURL(file).href);
const handler: unknown =
  typeof exported === 'object' && exported !== null && Reflect.get(exported, exportName);
if (!isHandler(handler)) throw new Error(`${file} exports no function named ${exportName}.`);

const run = async ({ event, remainingMs, aheadMs: ahead }: Invocation): Promise<Outcome> => {
  aheadMs = ahead;
  const deadline = clock() + remainingMs;
  const context = { ...lambdaContext, getRemainingTimeInMillis: () => deadline - clock() };
  try {
    return { type: 'result', payload: JSON.stringify(await handler(event, context)) };
  } catch (error) {
    return { type: 'error', errorType: error instanceof Error ? error.name : typeof error };
  }
};

const measure = async (): Promise<Measurement> => {
  // What the last request aborted closes after its response.
  await delay(20);
  globalThis.gc?.();
  await delay(0);
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    rss,
    heap: heapUsed + external,
    sockets: socketsOf('self') - ownSockets,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    warnings,
  };
};

const isInvocation = (message: unknown): message is Invocation =>
  typeof message === 'object' && message !== null && 'event' in message;

process.on('message', (message) => {
  void (isInvocation(message) ? run(message) : measure()).then((answer) => process.send?.(answer));
});
// The parent ended.
process.once('disconnect', () => process.exit());
