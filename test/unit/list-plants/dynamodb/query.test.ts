import { describe, expect, it } from 'vitest';
import { parseResponse } from '../../../../functions/list-plants/dynamodb/query.ts';

const refusal = (type: string): string =>
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Rose of alice' });

describe('the response to a Query', () => {
  it.each([
    { Items: [], Count: 0 },
    { Items: [{ sortKey: { S: 'fern\u00001' } }], LastEvaluatedKey: { sortKey: { S: 'fern\u00001' } } },
  ])('is a list of items, with the last key when more follow: %j', (output) => {
    expect(parseResponse(200, JSON.stringify(output))).toEqual(output);
  });

  it.each([
    ['NoJson', ''],
    ['NoJson', '<html>Rose</html>'],
    ['NoJson', '{"Items":[{"sortKey":{"S":"rose'],
    ['NoItems', 'null'],
    ['NoItems', '{"Items":{}}'],
    ['NoItems', '{"Items":[null]}'],
    ['NoItems', '{"Items":[],"LastEvaluatedKey":null}'],
    ['NoItems', refusal('ValidationException')],
  ])('is a transient error (%s) when it is %j', (code, text) => {
    expect(() => parseResponse(200, text)).toThrow(expect.objectContaining({ code, transient: true }));
  });

  it.each([
    [400, 'ProvisionedThroughputExceededException', true],
    [400, 'RequestLimitExceeded', true],
    [400, 'ThrottlingException', true],
    [500, 'InternalServerError', true],
    [400, 'ValidationException', false],
  ])('is an error for status %i with %s: transient is %s', (status, code, transient) => {
    for (const text of [refusal(code), `{ "__type" : "${code}" }`])
      expect(() => parseResponse(status, text)).toThrow(expect.objectContaining({ code, transient }));
  });

  it.each([
    [403, false],
    [429, true],
    [500, true],
  ])('is an error of status %i when it names no type: transient is %s', (status, transient) => {
    const code = `Status${String(status)}`;
    for (const text of ['', '<html>Rose</html>', '{"__type":5}'])
      expect(() => parseResponse(status, text)).toThrow(
        expect.objectContaining({ code, transient, message: code }),
      );
  });
});
