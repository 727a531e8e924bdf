/** The code of a system or network error, such as `ECONNREFUSED`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** The code of an error, or else its name; never its text, which can quote what was sent. */
export const codeOrNameOf = (error: unknown): string =>
  codeOf(error) ?? (error instanceof Error ? error.name : typeof error);

const throttling = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** Whether DynamoDB refused a request because of a throughput limit ("Error handling with DynamoDB"). */
export const isThrottling = (errorName: string): boolean => throttling.has(errorName);
