import type { Context } from 'aws-lambda';

/** What Lambda passes beside the event, with ten seconds to go. */
export const lambdaContext: Context = {
  awsRequestId: '00000000-0000-0000-0000-000000000000',
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'test',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:test',
  logGroupName: '/aws/lambda/test',
  logStreamName: 'test',
  memoryLimitInMB: '512',
  getRemainingTimeInMillis: () => 10_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
};
