const throttlingCodes: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** Whether an error code of DynamoDB means throttling (AWS: "Error handling with DynamoDB"). */
export const isThrottling = (code: string): boolean => throttlingCodes.has(code);
