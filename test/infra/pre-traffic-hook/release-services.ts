import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { InvocationError } from '../../../local/lambda/invocation.ts';
import type { LambdaFunction } from '../../../local/lambda/lambda-function.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';

/** The version of a function that Lambda's API invokes. */
export interface TestedVersion {
  readonly functionName: string;
  readonly version: string;
  readonly run: LambdaFunction;
  /** The lines that it has logged so far. */
  readonly lines: readonly string[];
}

/** The APIs that a pre-traffic hook calls: Lambda's and CodeDeploy's. */
export interface ReleaseServices {
  readonly endpoint: string;
  /** The bodies of the calls that set a hook's status. */
  readonly statuses: readonly unknown[];
  readonly stop: () => Promise<void>;
}

/** The size of a log's tail in Lambda's response (AWS: "Invoke", `LogResult`). */
const tailBytes = 4096;
/** A worker's log lines can arrive after its result. */
const lineDelayMs = 200;

/** Starts servers that respond as Lambda and CodeDeploy do. */
export const startReleaseServices = async (tested: TestedVersion): Promise<ReleaseServices> => {
  const statuses: unknown[] = [];
  const path = `/2015-03-31/functions/${tested.functionName}/invocations?Qualifier=${tested.version}`;

  const invoke = async (body: string, response: ServerResponse): Promise<void> => {
    const outcome = await tested.run.invoke(JSON.parse(body)).catch((error: unknown) => {
      if (!(error instanceof InvocationError)) throw error;
      response.setHeader('X-Amz-Function-Error', 'Unhandled');
      return { errorType: error.message };
    });
    await delay(lineDelayMs);
    const tail = Buffer.from(tested.lines.join('\n')).subarray(-tailBytes).toString('base64');
    response.setHeader('X-Amz-Log-Result', tail).end(JSON.stringify(outcome));
  };

  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then(async (body) => {
      const target = request.headers['x-amz-target'];
      if (request.url === path && request.headers['x-amz-log-type'] === 'Tail') await invoke(body, response);
      else if (target === 'CodeDeploy_20141006.PutLifecycleEventHookExecutionStatus') {
        statuses.push(JSON.parse(body));
        response.end('{}');
      } else response.writeHead(404).end();
    });
  });
  return { endpoint: await startServer(server), statuses, stop: () => stopServer(server) };
};
