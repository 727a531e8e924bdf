import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Backend } from '../backend/backend.ts';
import type { LimitCpu } from './cpu-share.ts';
import { type Response, startRuntimeApi } from './runtime-api.ts';

/** One Lambda execution environment: a process with AWS's runtime interface client and one function. */
export interface ExecutionEnvironment extends AsyncDisposable {
  /** Milliseconds from the start of the process until it requested its first event. */
  readonly initMs: number;
  readonly invoke: (event: string) => Promise<Invocation>;
}

export interface Invocation extends Response {
  /** The number of Queries that the function sent. */
  readonly queries: number;
}

/** A function's code. */
export interface FunctionCode {
  /** The folder of the unpacked asset. */
  readonly folder: string;
  /** File and export, as for Lambda. */
  readonly handler: string;
}

/** How a function is run. */
export interface Configuration {
  readonly backend: Pick<Backend, 'variables' | 'countQueries'>;
  readonly memoryMb: number;
  /**
   * Limits the processor while a request is handled, but not during initialization, as Lambda does. If
   * undefined, requests have a whole processor.
   */
  readonly limitCpu: LimitCpu | undefined;
  /** The folder of Lambda's runtime client. */
  readonly runtimeClient: string;
  /** A file to which the process writes the parts of its cold start. */
  readonly partsFile?: string;
}

const timeParts = fileURLToPath(new URL('time-parts.cjs', import.meta.url));

/** Starts a process, as Lambda does for a cold start, and waits until it is initialized. */
export const startEnvironment = async (
  { folder, handler }: FunctionCode,
  { backend, memoryMb, limitCpu, runtimeClient, partsFile }: Configuration,
): Promise<ExecutionEnvironment> => {
  const api = await startRuntimeApi();
  const started = performance.now();
  // As the managed runtime's start script does: a tenth of the memory is for the young generation, which has
  // three spaces (1/10 ÷ 3 = 1/30), and nine tenths are for the old generation.
  const heap = [
    `--max-semi-space-size=${String(Math.floor(memoryMb / 30))}`,
    `--max-old-space-size=${String(Math.ceil(memoryMb * 0.9))}`,
  ];
  const preload = partsFile === undefined ? [] : ['--require', timeParts];
  const child = spawn(process.execPath, ['--expose-gc', ...heap, ...preload, `${runtimeClient}/index.mjs`], {
    cwd: folder,
    // Without this machine's environment variables.
    env: {
      ...lambdaVariables,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      ...backend.variables,
      _HANDLER: handler,
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_RUNTIME_API: api.address,
      PARTS_FILE: partsFile,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code, signal]: readonly unknown[]): never => {
    const reason = String(code ?? signal);
    throw new Error(`The process of the function in ${folder} exited (${reason}) before it responded.`);
  });
  await Promise.race([api.initialized, ended]);
  const initMs = performance.now() - started;
  limitCpu?.(child.pid ?? 0);
  return {
    initMs,
    invoke: async (event) => {
      backend.countQueries();
      const response = await Promise.race([api.invoke(event), ended]);
      return { ...response, queries: backend.countQueries() };
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
      api.close();
    },
  };
};

/** AWS: "Defined runtime environment variables". The credentials are invented, in Lambda's form. */
const lambdaVariables: Readonly<Record<string, string>> = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'ASIABENCHMARK0000000',
  AWS_SECRET_ACCESS_KEY: 'benchmark/benchmark/benchmark/benchmark0',
  AWS_SESSION_TOKEN: 'benchmark'.repeat(80),
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'benchmark',
  AWS_LAMBDA_FUNCTION_VERSION: '1',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_FORMAT: 'JSON',
  AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/benchmark',
  AWS_LAMBDA_LOG_STREAM_NAME: 'benchmark',
  // The folder of the modules that a bundle leaves out: on Lambda, the runtime's copy of the SDK.
  NODE_PATH: fileURLToPath(new URL('../node_modules', import.meta.url)),
  PATH: '/usr/local/bin:/usr/bin:/bin',
};
