import { isThrottling } from './throttling.ts';

/** An action of the DynamoDB API: its name, and how its output is read. */
export interface Action<Input, Output> {
  /** As in the Amazon DynamoDB API Reference, such as `Query`. */
  readonly name: string;
  /** Set if the client must not send the action again, because the caller does so with another input. */
  readonly isSentOnce?: true;
  /**
   * Checks the JSON of a response with status 200.
   * @throws {DynamoDbError} a transient error for a malformed output, which the client then retries
   */
  readonly parseOutput: (output: unknown, input: Input) => Output;
}

interface ErrorSettings {
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  readonly cause?: Error;
}

/**
 * A failed action. `code`, also the message, is an error code of DynamoDB, Node.js or this client. `cause`
 * has DynamoDB's own message, which can quote data.
 */
export class DynamoDbError extends Error {
  readonly code: string;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;

  constructor(code: string, { transient, cause }: ErrorSettings) {
    super(code, { cause });
    this.code = code;
    this.transient = transient;
  }
}

/** An error after which the same request may succeed later. */
export const transientError = (code: string): DynamoDbError => new DynamoDbError(code, { transient: true });

/**
 * Reads the JSON of a response.
 * @throws {DynamoDbError} for an error response, and for a text that is not JSON
 */
export const parseResponse = (status: number, text: string): unknown => {
  if (status !== 200) throw errorIn(status, text);
  return parseJson(text);
};

const errorIn = (status: number, text: string): DynamoDbError => {
  // Read by regular expressions, because the body of an error may be incomplete JSON or HTML.
  const code = /"__type"\s*:\s*"(?:[^"]*#)?(\w+)"/.exec(text)?.[1] ?? `Status${String(status)}`;
  const [, message = ''] = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/i.exec(text) ?? [];
  const transient = status >= 500 || isThrottling(code);
  return new DynamoDbError(code, { transient, cause: new Error(message) });
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // The error has no `cause`, because the parser's message quotes the text.
    throw transientError('SyntaxError');
  }
};
