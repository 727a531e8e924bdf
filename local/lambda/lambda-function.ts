import { availableParallelism } from 'node:os';
import type { FunctionDefinition } from '../stack/stack.ts';
import { type ExecutionEnvironment, startEnvironment } from './execution-environment.ts';
import { InvocationError } from './invocation.ts';

/** AWS: "Lambda quotas", invocation payload of a synchronous response. */
const maxResponseBytes = 6 * 1024 * 1024;
/** Lambda starts an environment for each concurrent request, but this machine has few cores to start them on. */
const maxEnvironments = 4 * availableParallelism();

/** Runs one function as Lambda does. */
export interface LambdaFunction {
  /**
   * @param requestId the invocation's id in the function's log, a new one by default
   * @returns what the handler returned, through JSON
   * @throws {InvocationError} when it threw, timed out or returned too much
   */
  readonly invoke: (event: unknown, requestId?: string) => Promise<unknown>;
  /** Ends the environments as they become idle. Later invocations still work. */
  readonly retire: () => void;
}

/**
 * Runs a function in one environment for each concurrent request, up to a limit; more requests wait.
 * @param environment all of the function's `process.env`
 * @param onLog receives each line that the function logs
 */
export const lambdaFunction = (
  definition: FunctionDefinition,
  environment: Readonly<Record<string, string>>,
  onLog: (line: string) => void,
): LambdaFunction => {
  const idle: ExecutionEnvironment[] = [];
  const waiting: ((environment: ExecutionEnvironment) => void)[] = [];
  let inUse = 0;
  let retired = false;

  const acquire = (): ExecutionEnvironment | Promise<ExecutionEnvironment> => {
    if (inUse >= maxEnvironments) {
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    }
    inUse += 1;
    return reuse() ?? startEnvironment(definition, environment, onLog);
  };
  const reuse = (): ExecutionEnvironment | undefined => {
    const free = idle.pop();
    return free === undefined || free.alive() ? free : reuse();
  };
  const release = (used: ExecutionEnvironment): void => {
    const next = waiting.shift();
    if (next !== undefined) {
      next(used.alive() ? used : startEnvironment(definition, environment, onLog));
      return;
    }
    inUse -= 1;
    if (retired) void used.end();
    else if (used.alive()) idle.push(used);
  };

  return {
    invoke: async (event, requestId = crypto.randomUUID()) => {
      const acquired = await acquire();
      try {
        return await invokeIn(acquired, definition, event, requestId);
      } finally {
        release(acquired);
      }
    },
    retire: () => {
      retired = true;
      for (const environment of idle.splice(0)) void environment.end();
    },
  };
};

const invokeIn = async (
  environment: ExecutionEnvironment,
  { timeout }: FunctionDefinition,
  event: unknown,
  requestId: string,
): Promise<unknown> => {
  const milliseconds = timeout * 1000;
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const message = `RequestId: ${requestId} Error: Task timed out after ${timeout.toFixed(2)} seconds`;
      reject(new InvocationError('timed-out', message));
      // As on Lambda, the next request gets a new environment.
      void environment.end();
    }, milliseconds);
  });
  try {
    const payload = await Promise.race([
      environment.run({
        requestId,
        event: JSON.stringify(event),
        deadline: Date.now() + milliseconds,
      }),
      timedOut,
    ]);
    if (Buffer.byteLength(payload) > maxResponseBytes) {
      throw new InvocationError('response-too-large', 'The function returned more than 6 MB.');
    }
    return JSON.parse(payload);
  } finally {
    clearTimeout(timer);
  }
};
