import { describe, expect, it } from 'vitest';
import { checkListPlants } from '../../../functions/pre-traffic-hook/check-list-plants.ts';
import { fieldsOf, type Invocation } from '../../../functions/pre-traffic-hook/invocation.ts';
import { parseListRequest } from '../../../functions/list-plants/http/list-request.ts';

const now = Date.UTC(2030, 0, 1);
const empty = { statusCode: 200, body: '[]' };
const refused = { statusCode: 401, body: '{"error":1004,"message":"Sign in."}' };

/** Checks a function that returns this to a caller, and that without one. */
const check = (
  list: Partial<Invocation>,
  refusal: Partial<Invocation> = { result: refused },
): ReturnType<typeof checkListPlants> =>
  checkListPlants(
    (event) => {
      const { authorizer } = fieldsOf(fieldsOf(event)['requestContext']);
      return Promise.resolve({
        result: undefined,
        entries: [],
        ...(authorizer === undefined ? refusal : list),
      });
    },
    () => now,
  );

describe('the check of the list function', () => {
  it('is passed by an empty list for a caller who has nothing, and a 401 without a caller', async () => {
    expect(await check({ result: empty })).toBeUndefined();
  });

  it('sends a caller that the function accepts, without groups, and another one each time', async () => {
    const principals: unknown[] = [];
    const invoke = (event: object): Promise<Invocation> => {
      expect(event).toMatchObject({ version: '2.0', rawQueryString: '' });
      principals.push(parseListRequest(event, now).principals);
      return Promise.resolve({ result: refused, entries: [] });
    };
    await checkListPlants(invoke, () => now);
    await checkListPlants(invoke, () => now);
    expect(principals).toEqual([
      [expect.stringMatching(/^user#pre-traffic-/)],
      [expect.stringMatching(/^user#pre-traffic-/)],
    ]);
    expect(principals[0]).not.toEqual(principals[1]);
  });

  it.each([
    ['it failed', { error: 'TypeError' }, { problem: 'function-error', cause: 'TypeError' }],
    ['it returned nothing', {}, { problem: 'not-an-empty-list', cause: 'status undefined' }],
    [
      'it lists a plant, which is not logged',
      { result: { statusCode: 200, body: '[{"name":"secret fern"}]' } },
      { problem: 'not-an-empty-list', cause: 'status 200' },
    ],
    [
      'another status has an empty list',
      { result: { statusCode: 203, body: '[]' } },
      { problem: 'not-an-empty-list', cause: 'status 203' },
    ],
    [
      'it could not read the table',
      { result: { statusCode: 400, body: '{"error":2000,"message":""}' } },
      { problem: 'not-an-empty-list', cause: 'status 400, error 2000' },
    ],
  ])('is not passed when %s', async (_, list, problem) => {
    expect(await check(list)).toEqual(problem);
  });

  it.each([
    ['it failed', { error: 'TypeError' }, { problem: 'function-error', cause: 'TypeError' }],
    ['it lists plants', { result: empty }, { problem: 'not-refused', cause: 'status 200' }],
    [
      'the error is another one',
      { result: { statusCode: 401, body: '{"error":1001}' } },
      { problem: 'not-refused', cause: 'status 401, error 1001' },
    ],
    [
      'the status is another one',
      { result: { ...refused, statusCode: 400 } },
      { problem: 'not-refused', cause: 'status 400, error 1004' },
    ],
    [
      'the body is no JSON',
      { result: { statusCode: 401, body: 'no' } },
      { problem: 'not-refused', cause: 'status 401' },
    ],
  ])('is not passed when without a caller %s', async (_, refusal, problem) => {
    expect(await check({ result: empty }, refusal)).toEqual(problem);
  });
});
