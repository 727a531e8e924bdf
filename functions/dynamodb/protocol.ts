import type { Item } from '../../table/item.ts';
import { isThrottling } from './throttling.ts';
import { isJsonObject } from '../runtime/json-object.ts';

interface StringValue {
  readonly S: string;
}

/** The input of the Query action (Amazon DynamoDB API Reference), as far as this service uses it. */
export interface QueryInput {
  readonly TableName: string;
  readonly KeyConditionExpression: string;
  readonly ExpressionAttributeValues: Readonly<Record<string, StringValue>>;
  readonly ExclusiveStartKey?: { readonly principal: StringValue; readonly sortKey: StringValue };
  readonly ProjectionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly Limit: number;
}

/** The output of the Query action, as far as this service reads it. */
export interface QueryOutput {
  readonly Items: readonly Item[];
  readonly LastEvaluatedKey?: { readonly sortKey: StringValue };
}

/**
 * A failed Query. `code`, also the message, is an error code of DynamoDB, Node.js or this client. `cause` has
 * DynamoDB's own message, which can quote data.
 */
export class DynamoDbError extends Error {
  readonly code: string;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;

  constructor(code: string, transient: boolean, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
    this.transient = transient;
  }
}

/**
 * Reads the response to a Query.
 * @throws {DynamoDbError} for an error response, and for malformed items or a malformed last key, which
 * would silently omit plants
 * @throws {SyntaxError} for a text that is not JSON
 */
export const parseResponse = (status: number, text: string): QueryOutput => {
  if (status !== 200) {
    const type = /"__type"\s*:\s*"(?:[^"]*#)?(\w+)"/.exec(text)?.[1] ?? `Status${String(status)}`;
    const [, message = ''] = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/i.exec(text) ?? [];
    throw new DynamoDbError(type, status >= 500 || isThrottling(type), { cause: new Error(message) });
  }
  const output: unknown = JSON.parse(text);
  if (!isQueryOutput(output)) throw new DynamoDbError('NoItems', true);
  return output;
};

const isQueryOutput = (output: unknown): output is QueryOutput => {
  if (!isJsonObject(output)) return false;
  const { Items: items, LastEvaluatedKey: lastKey } = output;
  return Array.isArray(items) && items.every(isJsonObject) && (lastKey === undefined || isKey(lastKey));
};

const isKey = (key: unknown): boolean =>
  isJsonObject(key) && isJsonObject(key['sortKey']) && typeof key['sortKey']['S'] === 'string';
