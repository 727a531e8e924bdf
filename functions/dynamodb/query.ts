import { isJsonObject } from '../runtime/json-object.ts';
import { type Action, transientError } from './protocol.ts';

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

/**
 * Reads items of one partition. A malformed item or last key is an error, because otherwise plants would
 * silently be missing.
 */
export const query: Action<QueryInput, QueryOutput> = {
  name: 'Query',
  parseOutput: (output) => {
    if (!isQueryOutput(output)) throw transientError('MalformedOutput');
    return output;
  },
};

const isQueryOutput = (output: unknown): output is QueryOutput => {
  if (!isJsonObject(output)) return false;
  const { Items: items, LastEvaluatedKey: lastKey } = output;
  return Array.isArray(items) && items.every(isJsonObject) && (lastKey === undefined || isKey(lastKey));
};

const isKey = (key: unknown): boolean =>
  isJsonObject(key) && Object.keys(key).length > 0 && Object.values(key).every(isStringValue);

const isStringValue = (value: unknown): boolean => isJsonObject(value) && typeof value['S'] === 'string';
