import { fieldsOf, type Invoke } from '../invocation.ts';
import type { AwsClient } from './aws-client.ts';

export interface Version {
  /** The address of Lambda's API. */
  readonly endpoint: string;
  readonly functionName: string;
  readonly version: string;
}

/** Invokes one version of a function, with the tail of its log (AWS: “Invoke”, Lambda API). */
export const invokeVersion =
  (send: AwsClient, { endpoint, functionName, version }: Version): Invoke =>
  async (event) => {
    const path = `/2015-03-31/functions/${functionName}/invocations?Qualifier=${version}`;
    const response = await send({
      service: 'lambda',
      url: new URL(path, endpoint),
      headers: { 'Content-Type': 'application/json', 'X-Amz-Log-Type': 'Tail' },
      body: JSON.stringify(event),
    });
    const result: unknown = await response.json();
    const tail = Buffer.from(response.headers.get('x-amz-log-result') ?? '', 'base64').toString();
    const failed = response.headers.get('x-amz-function-error') ?? undefined;
    const { errorType } = fieldsOf(result);
    return {
      error: failed !== undefined && typeof errorType === 'string' ? errorType : failed,
      result,
      entries: tail.split('\n').map(entryOf),
    };
  };

/** The function's own entry in a line of its log. The tail can begin in the middle of a line. */
const entryOf = (line: string): unknown => {
  try {
    return fieldsOf(JSON.parse(line))['message'];
  } catch {
    return undefined;
  }
};
