import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { handlerOf } from '../../../../local/lambda/lambda-function.ts';
import { localCredentials, localRegion } from '../../../../local/service-file.ts';
import type { BundledFunction } from '../../../../local/stack/bundle.ts';
import { type Measurement, measurement } from './measurement.ts';

/** One invocation, as sent to the process. */
export interface Invocation {
  readonly event: unknown;
  /** Milliseconds until the function's timeout. */
  readonly remainingMs: number;
  /** How far the function's clock is ahead, in milliseconds. */
  readonly aheadMs: number;
}

const outcome = z.union([
  z.object({ type: z.literal('result'), payload: z.string().transform((text): unknown => JSON.parse(text)) }),
  z.object({ type: z.literal('error'), errorType: z.string() }),
]);
/** What a function returned, or the name of the error it threw. */
export type Outcome = Readonly<z.infer<typeof outcome>>;

/** A function in a process of its own, which handles one request at a time as on Lambda. */
export interface FunctionProcess {
  /** @throws {Error} when the process ended */
  readonly invoke: (invocation: Invocation) => Promise<Outcome>;
  readonly measure: () => Promise<Measurement>;
  readonly end: () => Promise<void>;
}

const main = fileURLToPath(new URL('function-main.ts', import.meta.url));

/** Starts a function with Lambda's limits for the heap and only its own environment. */
export const startFunction = (
  definition: BundledFunction,
  overrides: Readonly<Record<string, string>>,
): FunctionProcess => {
  const { memorySize, environment } = definition;
  // As the managed runtime's start script computes them: a tenth for the young generation's three semi-spaces.
  const newSpaceMb = Math.floor(memorySize / 10);
  const semiSpaceMb = String(Math.floor(newSpaceMb / 3));
  const child = fork(main, handlerOf(definition), {
    execArgv: [
      '--expose-gc',
      // From the start: V8 would enlarge them at any time of the run, which looks like a leak.
      `--min-semi-space-size=${semiSpaceMb}`,
      `--max-semi-space-size=${semiSpaceMb}`,
      `--max-old-space-size=${String(memorySize - newSpaceMb)}`,
    ],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      AWS_REGION: localRegion,
      AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
      ...environment,
      ...overrides,
    },
  });
  let settle = Promise.withResolvers<unknown>();
  child.on('message', (message) => {
    settle.resolve(message);
  });
  child.once('exit', (code, signal) => {
    settle.reject(new Error(`The function's process ended (${String(code ?? signal)}).`));
  });
  const ask = async (message: Invocation | 'measure'): Promise<unknown> => {
    if (!child.connected) throw new Error("The function's process has ended.");
    settle = Promise.withResolvers();
    child.send(message);
    return settle.promise;
  };
  return {
    invoke: async (invocation) => outcome.parse(await ask(invocation)),
    measure: async () => measurement.parse(await ask('measure')),
    end: async () => {
      if (!child.connected) return;
      const ended = once(child, 'exit');
      settle.promise.catch(() => undefined);
      child.kill();
      await ended;
    },
  };
};
