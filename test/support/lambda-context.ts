/* oxlint-disable typescript/no-deprecated -- The type still requires the callbacks. */
import type { Context } from 'aws-lambda';

/** The context that Lambda passes with the event, with ten seconds left. */
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
