import { expect, it } from 'vitest';
import { query } from '../../../functions/dynamodb/query.ts';

const input = {
  TableName: 'Plants',
  KeyConditionExpression: 'principal = :principal',
  ExpressionAttributeValues: { ':principal': { S: 'user#alice' } },
  ProjectionExpression: 'sortKey',
  ExpressionAttributeNames: {},
  Limit: 1,
};
const key = { principal: { S: 'user#alice' }, sortKey: { S: 'Rose' } };

it.each([{ Items: [] }, { Items: [{ name: { S: 'Rose' } }], LastEvaluatedKey: key }])(
  'reads the output %j of a Query',
  (output) => {
    expect(query.parseOutput(output, input)).toBe(output);
  },
);

it.each([
  null,
  {},
  { __type: 'ValidationException' },
  { Items: {} },
  { Items: [null] },
  { Items: [], LastEvaluatedKey: null },
  { Items: [], LastEvaluatedKey: {} },
  { Items: [], LastEvaluatedKey: { sortKey: { N: '1' } } },
])('reads the output %j of a Query as the transient error MalformedOutput', (output) => {
  const error = { code: 'MalformedOutput', transient: true, message: 'MalformedOutput' };
  expect(() => query.parseOutput(output, input)).toThrow(expect.objectContaining(error));
});
