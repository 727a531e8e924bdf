/** The Query action (Amazon DynamoDB API Reference), as far as it is used here. */
export interface QueryInput {
  readonly TableName: string;
  readonly KeyConditionExpression: string;
  readonly ExpressionAttributeValues: Readonly<Record<string, { readonly S: string }>>;
  readonly ProjectionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly Limit?: number | undefined;
}

/** An attribute whose `S` is text where it is a string; all else is not looked at. */
export type Attribute = { readonly S?: unknown } | undefined;

export interface QueryOutput {
  readonly Items: readonly Readonly<Record<string, Attribute>>[];
  readonly LastEvaluatedKey?: Readonly<Record<string, Attribute>>;
}

const throttles = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** A Query without a result. `code` is DynamoDB's error type or the system's error code; no message quotes the request. */
export class DynamoDbError extends Error {
  override readonly name = 'DynamoDbError';
  readonly code: string;
  /** Whether the same request may get an answer later. */
  readonly transient: boolean;

  constructor(code: string, transient: boolean) {
    super(code);
    this.code = code;
    this.transient = transient;
  }
}

/** Whether an error says that the table or the account is asked too often. */
export const isThrottle = (code: string): boolean => throttles.has(code);

/**
 * Reads the answer to a Query.
 * @throws {DynamoDbError} when it is a refusal, or holds no list of items: that must not pass for an empty list
 */
export const parseAnswer = (status: number, text: string): QueryOutput => {
  if (status !== 200) {
    const type = /"__type"\s*:\s*"(?:[^"]*#)?(\w+)"/.exec(text)?.[1] ?? `Status${String(status)}`;
    throw new DynamoDbError(type, status >= 500 || status === 429 || isThrottle(type));
  }
  const output = parseJson(text);
  if (!isQueryOutput(output)) throw new DynamoDbError('NoItems', true);
  return output;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new DynamoDbError('NoJson', true);
  }
};

const isQueryOutput = (output: unknown): output is QueryOutput =>
  typeof output === 'object' && output !== null && 'Items' in output && Array.isArray(output.Items);
