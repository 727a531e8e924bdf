import middy from '@middy/core';
import { describe, expect, it } from 'vitest';
import { errorBody } from '../../../../functions/list-plants/http/error-body.ts';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import { lambdaContext } from '../../../support/lambda-context.ts';
import { recordingLog } from '../../../support/recording-log.ts';

/** The log entries of a handler that throws. The responses are tested in build-handler.test.ts. */
const logged = async (thrown: unknown): Promise<readonly (readonly [string, unknown])[]> => {
  const log = recordingLog();
  const handler = (): never => {
    throw thrown;
  };
  await middy(handler)
    .use({ onError: () => 'handled' })
    .use(errorBody(log))({}, lambdaContext);
  return log.entries;
};

describe('the log of a failed request', () => {
  const cause = Object.assign(new TypeError('Rose'), { code: 'ECONNREFUSED' });
  it.each([
    ['info', 'the caller', catalogue.noCaller, undefined, undefined],
    ['error', 'the operator', catalogue.storeUnavailable, cause, 'ECONNREFUSED'],
    ['error', 'the operator', catalogue.deadlineExceeded, undefined, undefined],
  ])(
    'has level %s for a failure that %s can fix, without a stack: $2.error',
    async (level, _, entry, thrown, text) => {
      const logEntry = { event: 'request-failed', error: entry.error, cause: text };
      expect(await logged(new ServiceError(entry, { cause: thrown }))).toEqual([[level, logEntry]]);
    },
  );

  it('has the stack of an unexpected error, without its message', async () => {
    const cause = new Error('Rose is broken\nfor alice\n    at Rose');
    const stack = cause.stack?.split('\n').flatMap((line) => (/Rose|alice/.test(line) ? [] : [line.trim()]));
    expect(stack?.[0]).toContain('error-body.test.ts');
    expect(await logged(cause)).toEqual([
      ['error', { event: 'request-failed', error: 2000, cause: 'Error', stack }],
    ]);
  });

  it.each([
    ['was replaced', 'broken\n    at Rose', { message: 'dry' }],
    ['was shortened', 'broken by Rose at home', { message: 'broken' }],
    ['has no stack', 'Rose', { stack: undefined }],
  ])('never has the message of an unexpected error that %s', async (_, message, changes) => {
    const { stack, ...error } = { stack: new Error(message).stack, message, ...changes };
    const entries = await logged(Object.assign(new Error(), error, { stack }));
    expect(entries).toMatchObject([['error', { error: 2000, cause: 'Error' }]]);
    expect(JSON.stringify(entries)).not.toContain('Rose');
  });
});
