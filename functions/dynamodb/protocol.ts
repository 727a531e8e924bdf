import { isJsonObject } from '../runtime/json-object.ts';
import { isThrottling } from './throttling.ts';

interface StringValue {
  readonly S: string;
}

/** The primary key of an item, whose attributes are strings. */
type Key = Readonly<Record<string, StringValue>>;

/** An item, whose attributes are unchecked. Only strings have an `S`. */
type Item = Readonly<Record<string, { readonly S?: unknown } | undefined>>;

/** The input of the Query action (Amazon DynamoDB API Reference), as far as this service uses it. */
export interface QueryInput {
  readonly TableName: string;
  readonly KeyConditionExpression: string;
  readonly ExpressionAttributeValues: Readonly<Record<string, StringValue>>;
  readonly ExclusiveStartKey?: Key | undefined;
  readonly ProjectionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly Limit: number;
}

/** The output of the Query action, as far as this service reads it. */
export interface QueryOutput {
  readonly Items: readonly Item[];
  readonly LastEvaluatedKey?: Key;
}

interface ErrorSettings {
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
  readonly cause?: Error;
}

/**
 * A failed Query. `code`, also the message, is an error code of DynamoDB, Node.js or this client. `cause` has
 * DynamoDB's own message, which can quote data.
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

/**
 * Reads the response to a Query.
 * @throws {DynamoDbError} for an error response, for a text that is not JSON, and for malformed items or a
 * malformed last key, which would silently omit plants
 */
export const parseResponse = (status: number, text: string): QueryOutput => {
  if (status !== 200) throw errorIn(status, text);
  const output = parseJson(text);
  if (!isQueryOutput(output)) throw new DynamoDbError('NoItems', { transient: true });
  return output;
};

const errorIn = (status: number, text: string): DynamoDbError => {
  const code = /"__type"\s*:\s*"(?:[^"]*#)?(\w+)"/.exec(text)?.[1] ?? `Status${String(status)}`;
  const [, message = ''] = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/i.exec(text) ?? [];
  const transient = status >= 500 || isThrottling(code);
  return new DynamoDbError(code, { transient, cause: new Error(message) });
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Without a cause: the message of the parser quotes the text.
    throw new DynamoDbError('SyntaxError', { transient: true });
  }
};

const isQueryOutput = (output: unknown): output is QueryOutput => {
  if (!isJsonObject(output)) return false;
  const { Items: items, LastEvaluatedKey: lastKey } = output;
  return Array.isArray(items) && items.every(isJsonObject) && (lastKey === undefined || isKey(lastKey));
};

const isKey = (key: unknown): boolean =>
  isJsonObject(key) && Object.keys(key).length > 0 && Object.values(key).every(isStringValue);

const isStringValue = (value: unknown): boolean => isJsonObject(value) && typeof value['S'] === 'string';
