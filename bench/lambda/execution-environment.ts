import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CpuShare } from '../share/cpu-share.ts';
import { credentials, region } from './environment.ts';
import { cpuMsOf, peakRssMbOf } from './process-figures.ts';
import { type Invocation, startRuntimeApi } from './runtime-api.ts';

/** One Lambda execution environment: a process with AWS's runtime interface client and one function. */
export interface ExecutionEnvironment extends AsyncDisposable {
  /** Milliseconds from the start of the process until it requested its first event. */
  readonly initMs: number;
  readonly invoke: (event: string) => Promise<Invocation>;
  /** Milliseconds of processor time since the start: all threads, user and system mode. */
  readonly cpuMs: () => number;
  /** Peak memory in MB. */
  readonly peakRssMb: () => number;
}

/** A function's code and environment variables. */
export interface Deployment {
  /** The folder of the unpacked asset. */
  readonly folder: string;
  /** File and export, as for Lambda. */
  readonly handler: string;
  readonly variables: Readonly<Record<string, string>>;
}

// The runtime interface client that AWS publishes.
const runtimeClient = join(
  dirname(createRequire(import.meta.url).resolve('aws-lambda-ric/package.json')),
  'index.mjs',
);

/** In MB, if the share of a processor is not limited. It sets the heap's size as on Lambda. */
const defaultMemoryMb = 512;

/**
 * Starts a process, as Lambda does for a cold start, and waits until it is initialized.
 * @param share limits requests only, as Lambda does; without it, they have a whole processor too
 */
export const startEnvironment = async (
  { folder, handler, variables }: Deployment,
  share?: CpuShare,
): Promise<ExecutionEnvironment> => {
  const memoryMb = share?.memoryMb ?? defaultMemoryMb;
  const api = await startRuntimeApi();
  const started = performance.now();
  const child = spawn(process.execPath, ['--expose-gc', ...heapArguments(memoryMb), runtimeClient], {
    cwd: folder,
    // Without this machine's environment variables.
    env: {
      ...lambdaVariables,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      ...variables,
      _HANDLER: handler,
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_RUNTIME_API: api.address,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  // Before the listener that removes the control group, which must be empty then.
  process.prependOnceListener('exit', kill);
  let errorOutput = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput += text;
  });
  const ended = once(child, 'exit').then((): never => {
    throw new Error(`The function in ${folder} ended: ${errorOutput}`);
  });
  await Promise.race([api.initialized, ended]);
  const initMs = performance.now() - started;
  const { pid = 0 } = child;
  share?.add(pid);
  return {
    initMs,
    invoke: (event) => Promise.race([api.invoke(event), ended]),
    cpuMs: () => cpuMsOf(pid),
    peakRssMb: () => peakRssMbOf(pid),
    [Symbol.asyncDispose]: async () => {
      kill();
      await ended.catch(() => undefined);
      process.off('exit', kill);
      api.close();
    },
  };
};

/** As the managed runtime's start script does: a tenth for the three semi-spaces of the young generation. */
const heapArguments = (memoryMb: number): readonly string[] => {
  const newSpaceMb = Math.floor(memoryMb / 10);
  return [
    `--max-semi-space-size=${String(Math.floor(newSpaceMb / 3))}`,
    `--max-old-space-size=${String(memoryMb - newSpaceMb)}`,
  ];
};

/** AWS: "Defined runtime environment variables". */
const lambdaVariables: Readonly<Record<string, string>> = {
  AWS_DEFAULT_REGION: region,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_SESSION_TOKEN: credentials.sessionToken,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: 'benchmark',
  AWS_LAMBDA_FUNCTION_VERSION: '1',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_FORMAT: 'JSON',
  AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/benchmark',
  AWS_LAMBDA_LOG_STREAM_NAME: 'benchmark',
  HOME: '/home/sbx_user1051',
  LANG: 'en_US.UTF-8',
  // For the modules that a bundle leaves out. On Lambda, this is the runtime's copy of the SDK.
  NODE_PATH: fileURLToPath(new URL('../node_modules', import.meta.url)),
  PATH: '/usr/local/bin:/usr/bin:/bin',
  TZ: ':UTC',
};
