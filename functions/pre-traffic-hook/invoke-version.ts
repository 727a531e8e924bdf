import { InvokeCommand, type InvokeCommandInput, type LambdaClient } from '@aws-sdk/client-lambda';
import { isJsonObject, type JsonObject } from '../shared/json-object.ts';

/** A failed check: the new version gets no traffic. `cause` is an error type, response or denial reason. */
export class FailedCheck extends Error {
  readonly problem: string;

  constructor(problem: string, cause: string) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/**
 * Invokes the new version with an event.
 * @returns its result, and the entries that it logged last
 * @throws {FailedCheck} when it throws or times out
 */
export type InvokeVersion = (
  event: object,
) => Promise<{ readonly result: JsonObject; readonly entries: readonly JsonObject[] }>;

/** Invokes a version by Lambda's API, until the signal aborts. */
export const invokeVersion =
  (lambda: LambdaClient, version: InvokeCommandInput, abortSignal: AbortSignal): InvokeVersion =>
  async (event) => {
    const command = new InvokeCommand({ ...version, LogType: 'Tail', Payload: JSON.stringify(event) });
    const { Payload = '', FunctionError, LogResult = '' } = await lambda.send(command, { abortSignal });
    const result = objectIn(Buffer.from(Payload).toString());
    if (FunctionError !== undefined) {
      const { errorType } = result;
      throw new FailedCheck('function-error', typeof errorType === 'string' ? errorType : FunctionError);
    }
    const lines = Buffer.from(LogResult, 'base64').toString().split('\n');
    return { result, entries: lines.map((line) => objectOf(objectIn(line)['message'])) };
  };

/** The object in a JSON text, or an empty one: the log's tail can begin in the middle of a line. */
export const objectIn = (text: string): JsonObject => {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
};

const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
