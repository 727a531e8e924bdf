import { describe, expect, it } from 'vitest';
import { DynamoDbError, parseResponse } from '../../../../functions/list-plants/dynamodb/query.ts';

const refusal = (type: string): string =>
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Rose of alice' });

describe('the response to a Query', () => {
  it('is a list of items, with the last key when more follow', () => {
    const output = {
      Items: [{ sortKey: { S: 'fern\u00001' } }],
      LastEvaluatedKey: { sortKey: { S: 'fern\u00001' } },
    };
    expect(parseResponse(200, JSON.stringify(output))).toEqual(output);
    expect(parseResponse(200, '{"Items":[],"Count":0}').Items).toEqual([]);
  });

  it.each([
    ['NoJson', 'nothing', ''],
    ['NoJson', 'a page of HTML', '<html>Rose</html>'],
    ['NoJson', 'half a response', '{"Items":[{"sortKey":{"S":"rose'],
    ['NoItems', 'a number', '5'],
    ['NoItems', 'null', 'null'],
    ['NoItems', 'a list', '[]'],
    ['NoItems', 'an object without items', '{}'],
    ['NoItems', 'items that are null', '{"Items":null}'],
    ['NoItems', 'items that are an object', '{"Items":{}}'],
    ['NoItems', 'a refusal', refusal('ValidationException')],
  ])('is a transient error (%s) when it is %s', (code, _, text) => {
    expect(() => parseResponse(200, text)).toThrow(new DynamoDbError(code, true));
  });

  it.each([
    [400, 'ProvisionedThroughputExceededException'],
    [400, 'RequestLimitExceeded'],
    [400, 'ThrottlingException'],
    [500, 'InternalServerError'],
    [503, 'ServiceUnavailable'],
  ])('is a transient error for status %i with %s', (status, type) => {
    expect(() => parseResponse(status, refusal(type))).toThrow(new DynamoDbError(type, true));
  });

  it.each([
    [400, 'ValidationException'],
    [400, 'ResourceNotFoundException'],
    [400, 'AccessDeniedException'],
    [400, 'UnrecognizedClientException'],
    [400, 'ExpiredTokenException'],
    [413, 'RequestEntityTooLarge'],
  ])('is a permanent error for status %i with %s', (status, type) => {
    expect(() => parseResponse(status, refusal(type))).toThrow(new DynamoDbError(type, false));
  });

  it.each([
    [301, false],
    [403, false],
    [429, true],
    [500, true],
    [502, true],
    [504, true],
  ])('is an error of status %i when it names no type: transient is %s', (status, transient) => {
    for (const text of ['', '<html>Rose</html>', '{}', 'null', '{"__type":5}']) {
      expect(() => parseResponse(status, text)).toThrow(
        new DynamoDbError(`Status${String(status)}`, transient),
      );
    }
  });

  it('may name its error type without a namespace', () => {
    expect(() => parseResponse(400, '{ "__type" : "ThrottlingException" }')).toThrow(
      new DynamoDbError('ThrottlingException', true),
    );
  });
});
