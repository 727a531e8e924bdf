const codes: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** Whether an error of DynamoDB is one of its throughput limits ("Error handling with DynamoDB"). */
export const isThrottling = (code: string): boolean => codes.has(code);
