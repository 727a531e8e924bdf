import { expect, it } from 'vitest';
import { parseResponse } from '../../../functions/dynamodb/protocol.ts';

const refusal = (type: string): string =>
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Rose of alice' });

it.each<[status: number, code: string, transient: boolean, text: string]>([
  [200, 'SyntaxError', true, ''],
  [200, 'SyntaxError', true, '<html>Rose</html>'],
  [200, 'SyntaxError', true, '{"Items":'],
  ...['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'ThrottlingException'].map(
    (code): [number, string, boolean, string] => [400, code, true, refusal(code)],
  ),
  [500, 'InternalServerError', true, refusal('InternalServerError')],
  [400, 'ValidationException', false, refusal('ValidationException')],
  [400, 'ValidationException', false, '{ "__type" : "ValidationException" }'],
  [403, 'Status403', false, ''],
  [403, 'Status403', false, '<html>Rose</html>'],
  [403, 'Status403', false, '{"__type":5}'],
  [500, 'Status500', true, ''],
])(
  'reads a response with status %i as the error %s, transient: %s (body %j)',
  (status, code, transient, text) => {
    const error = { code, transient, message: code };
    expect(() => parseResponse(status, text)).toThrow(expect.objectContaining(error));
  },
);

it.each([
  ['{"__type":"ValidationException","message":"A \\"name\\" is missing."}', 'A \\"name\\" is missing.'],
  ['{"Message":"No.","__type":"ValidationException"}', 'No.'],
  ['{"__type":"ValidationException"}', ''],
])('keeps DynamoDB’s message as the cause of the error for the response %s', (text, message) => {
  const cause: unknown = expect.objectContaining({ message });
  expect(() => parseResponse(400, text)).toThrow(expect.objectContaining({ cause }));
});
