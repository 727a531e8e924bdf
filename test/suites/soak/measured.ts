import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { createContext, runInContext } from 'node:vm';

// Only contexts created after this flag have the function `gc`.
setFlagsFromString('--expose-gc');
const context = createContext();

/** The bytes that this thread's objects and buffers take after garbage collections. */
export const heapInUse = async (): Promise<number> => {
  // Connections that the last request aborted close after its response.
  await delay(20);
  runInContext('gc()', context);
  // The second collection frees the buffers of the objects that the first one freed.
  await delay(0);
  runInContext('gc()', context);
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** An event, the time on the function's clock (since 1970), and the time until its timeout. */
export interface Invocation {
  readonly event: object;
  readonly nowMs: number;
  readonly remainingMs: number;
}

/** Invokes a handler on the test's clock, or measures the heap. */
export const measured =
  (handler: (event: object, context: object) => unknown) =>
  (invocation: Invocation | 'heap', context: object): unknown => {
    if (invocation === 'heap') return heapInUse();
    const { event, nowMs, remainingMs } = invocation;
    Date.now = () => nowMs;
    return handler(event, { ...context, getRemainingTimeInMillis: () => remainingMs });
  };
