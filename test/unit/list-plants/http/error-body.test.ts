import middy from '@middy/core';
import { describe, expect, it } from 'vitest';
import { errorBody } from '../../../../functions/list-plants/http/error-body.ts';
import { catalogue, ServiceError } from '../../../../functions/list-plants/errors.ts';
import { lambdaContext } from '../../../support/lambda-context.ts';
import { recordingLog } from '../../../support/recording-log.ts';

/** What is logged when a handler throws this. */
const logged = async (thrown: () => unknown): Promise<readonly (readonly [string, unknown])[]> => {
  const log = recordingLog();
  await middy(thrown)
    .use({
      onError: () => 'answered',
    })
    .use(errorBody(log))({}, lambdaContext);
  return log.entries;
};

const rejection =
  (reason: unknown): (() => never) =>
  () => {
    throw reason;
  };

describe('the log of a failed request', () => {
  it.each([
    ['limit', catalogue.invalidLimit],
    ['cursor', catalogue.invalidCursor],
    ['size', catalogue.resultTooLarge],
    ['caller', catalogue.noCaller],
  ])('notes what the caller can mend, as information: %s', async (_, entry) => {
    expect(await logged(rejection(new ServiceError(entry)))).toEqual([
      ['info', { event: 'request-failed', error: entry.error }],
    ]);
  });

  it.each([
    ['store', catalogue.storeUnavailable],
    ['deadline', catalogue.deadlineExceeded],
  ])('notes what the operator can mend, as an error: %s', async (_, entry) => {
    expect(await logged(rejection(new ServiceError(entry)))).toEqual([
      ['error', { event: 'request-failed', error: entry.error }],
    ]);
  });

  it('names what lies behind it, with its system code', async () => {
    const cause = Object.assign(new TypeError('Rose'), { code: 'ECONNREFUSED' });
    expect(await logged(rejection(new ServiceError(catalogue.storeUnavailable, { cause })))).toEqual([
      ['error', { event: 'request-failed', error: 2001, cause: 'TypeError ECONNREFUSED' }],
    ]);
  });

  it('tells where an unexpected error was thrown', async () => {
    expect(JSON.stringify(await logged(rejection(new Error('Rose'))))).toContain('error-body.test.ts');
  });

  it('never holds the message of what lies behind it', async () => {
    const cause = new Error('Rose is broken\nfor alice\n  with token eyJhbGciOi');
    const text = JSON.stringify(await logged(rejection(cause)));
    for (const secret of ['Rose', 'alice', 'eyJ']) expect(text).not.toContain(secret);
  });

  it('never holds a line of that message that looks like a stack frame', async () => {
    const text = JSON.stringify(await logged(rejection(new Error('broken\n    at Rose'))));
    expect(text).not.toContain('Rose');
  });

  it.each([
    ['an error', new Error('Rose'), 'Error'],
    ['an error without stack', Object.assign(new Error('Rose'), { stack: undefined }), 'Error'],
    ['an error with a number as code', Object.assign(new RangeError('Rose'), { code: 5 }), 'RangeError'],
    ['a text', 'Rose', 'string'],
    ['a number', 5, 'number'],
    ['null', null, 'object'],
    ['an object', { name: 'Rose' }, 'object'],
    ['nothing', undefined, undefined],
  ])('takes %s for an unexpected error', async (_, thrown, cause) => {
    const entries = await logged(rejection(thrown));
    expect(entries).toMatchObject([['error', { event: 'request-failed', error: 2000, cause }]]);
    expect(JSON.stringify(entries)).not.toContain('Rose');
  });
});
