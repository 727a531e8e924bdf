import middy from '@middy/core';
import { describe, expect, it } from 'vitest';
import { errorBody } from '../../../../functions/list-plants/http/error-body.ts';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import { lambdaContext } from '../../../support/lambda-context.ts';
import { recordingLog } from '../../../support/recording-log.ts';

/** The log entries of a handler that throws. */
const logged = async (thrown: () => unknown): Promise<readonly (readonly [string, unknown])[]> => {
  const log = recordingLog();
  await middy(thrown)
    .use({ onError: () => 'handled' })
    .use(errorBody(log))({}, lambdaContext);
  return log.entries;
};

const rejection =
  (reason: unknown): (() => never) =>
  () => {
    throw reason;
  };

/** Replaces the message but not the stack, which begins with the old message. */
const withMessage = (message: string, error: Error): Error => {
  const { stack } = error;
  return Object.assign(error, { message, stack });
};

describe('the log of a failed request', () => {
  it.each([
    ['info', 'the caller', 'limit', catalogue.invalidLimit],
    ['info', 'the caller', 'cursor', catalogue.invalidCursor],
    ['info', 'the caller', 'size', catalogue.resultTooLarge],
    ['info', 'the caller', 'caller', catalogue.noCaller],
    ['error', 'the operator', 'store', catalogue.storeUnavailable],
    ['error', 'the operator', 'deadline', catalogue.deadlineExceeded],
  ])('has level %s for a failure that %s can fix: %s', async (level, _who, _what, entry) => {
    expect(await logged(rejection(new ServiceError(entry)))).toEqual([
      [level, { event: 'request-failed', error: entry.error }],
    ]);
  });

  it('contains the system code of the cause', async () => {
    const cause = Object.assign(new TypeError('Rose'), { code: 'ECONNREFUSED' });
    expect(await logged(rejection(new ServiceError(catalogue.storeUnavailable, { cause })))).toEqual([
      ['error', { event: 'request-failed', error: 2001, cause: 'ECONNREFUSED' }],
    ]);
  });

  it('contains the stack of an unexpected error', async () => {
    const cause = new Error('Rose is broken');
    const stack = cause.stack?.split('\n').flatMap((line) => (line.includes('Rose') ? [] : [line.trim()]));
    expect(stack?.[0]).toContain('error-body.test.ts');
    expect(await logged(rejection(cause))).toEqual([
      ['error', { event: 'request-failed', error: 2000, cause: 'Error', stack }],
    ]);
  });

  it('never contains the message of an unexpected error', async () => {
    const cause = new Error('Rose is broken\nfor alice\n  with token eyJhbGciOi');
    const text = JSON.stringify(await logged(rejection(cause)));
    for (const secret of ['Rose', 'alice', 'eyJ']) expect(text).not.toContain(secret);
  });

  it.each([
    ['that looks like a stack frame', new Error('broken\n    at Rose')],
    ['that was replaced', withMessage('dry', new Error('broken\n    at Rose'))],
    ['that was shortened', withMessage('broken', new Error('broken by Rose at home'))],
  ])('never contains a message %s', async (_, cause) => {
    expect(JSON.stringify(await logged(rejection(cause)))).not.toContain('Rose');
  });

  it.each([
    ['an error', new Error('Rose'), 'Error'],
    ['an error without a stack', Object.assign(new Error('Rose'), { stack: undefined }), 'Error'],
    ['an error with a number as its code', Object.assign(new RangeError('Rose'), { code: 5 }), 'RangeError'],
    ['a string', 'Rose', 'string'],
    ['a number', 5, 'number'],
    ['null', null, 'object'],
    ['an object', { name: 'Rose' }, 'object'],
    ['undefined', undefined, undefined],
  ])('reports %s as an unexpected error', async (_, thrown, cause) => {
    const entries = await logged(rejection(thrown));
    expect(entries).toMatchObject([['error', { event: 'request-failed', error: 2000, cause }]]);
    expect(JSON.stringify(entries)).not.toContain('Rose');
  });
});
