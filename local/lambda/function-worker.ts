// Runs in a worker thread: an execution environment of a function, like that of Lambda's Node.js runtime.
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { parentPort } from 'node:worker_threads';
import type { Context } from 'aws-lambda';
import type { Invocation, Outcome } from './invocation.ts';
import { readable } from './log-line.ts';

/** Without the callbacks, which the runtime no longer supports. */
type RuntimeContext = Omit<Context, 'done' | 'fail' | 'succeed'>;
type Handler = (event: unknown, context: RuntimeContext) => unknown;

const [file = '', exportName = '', functionName = '', memorySize = ''] = process.argv.slice(2);

const { AWS_REGION: region = '', AWS_LAMBDA_LOG_FORMAT: logFormat } = process.env;

let requestId: string | undefined;

/** Writes a log entry as text, or as Lambda's JSON (AWS: "Log and monitor Node.js Lambda functions"). */
const writeLog = (level: string, parameters: readonly unknown[]): void => {
  const [first] = parameters;
  const isEntry = parameters.length === 1 && typeof first === 'object' && !(first instanceof Error);
  const message = isEntry ? first : format(...parameters);
  const line =
    logFormat === 'Text'
      ? readable(level, message)
      : JSON.stringify({ timestamp: new Date().toISOString(), level, requestId, message });
  process.stdout.write(`${line}\n`);
};

for (const method of ['trace', 'debug', 'log', 'info', 'warn', 'error'] as const) {
  const level = method === 'log' ? 'INFO' : method.toUpperCase();
  console[method] = (...parameters: readonly unknown[]) => {
    writeLog(level, parameters);
  };
}

const contextOf = ({ requestId: awsRequestId, deadline }: Invocation): RuntimeContext => ({
  awsRequestId,
  functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:${region}:000000000000:function:${functionName}`,
  memoryLimitInMB: memorySize,
  logGroupName: `/aws/lambda/${functionName}`,
  logStreamName: 'local',
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
});

const isHandler = (value: unknown): value is Handler => typeof value === 'function';

const handler: unknown = Reflect.get(Object(await import(pathToFileURL(file).href)), exportName);
if (!isHandler(handler)) throw new Error(`${file} exports no function named ${exportName}.`);

const outcomeOf = async (invocation: Invocation): Promise<Outcome> => {
  try {
    const { event } = invocation;
    const result = event === undefined ? null : await handler(JSON.parse(event), contextOf(invocation));
    return { type: 'result', payload: JSON.stringify(result ?? null) };
  } catch (error) {
    console.error(error);
    return { type: 'error', errorType: error instanceof Error ? error.name : typeof error };
  }
};

parentPort?.on('message', (invocation: Invocation) => {
  requestId = invocation.requestId;
  void outcomeOf(invocation).then((outcome) => parentPort?.postMessage(outcome));
});
