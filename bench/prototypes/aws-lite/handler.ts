import awsLite from '@aws-lite/client';
import type {} from '@aws-lite/dynamodb-types';
import { buildHandler } from '../../../functions/list-plants/build-handler.ts';
import { variable } from '../../../functions/shared/environment.ts';
import { type Query, queryPlantStore, type StringAttribute } from '../query-plant-store.ts';

const aws = awsLite({
  endpoint: variable(process.env, 'AWS_ENDPOINT_URL_DYNAMODB'),
  region: variable(process.env, 'AWS_REGION'),
  plugins: [import('@aws-lite/dynamodb')],
});

/** aws-lite knows neither an abort signal nor a deadline. */
const query: Query = async ({ ExpressionAttributeValues, Limit, ...input }) => {
  const { DynamoDB } = await aws;
  const { Items = [], LastEvaluatedKey } = await DynamoDB.Query({
    ...input,
    ...(Limit !== undefined && { Limit }),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(ExpressionAttributeValues).map(([name, { S }]) => [name, S]),
    ),
  });
  return {
    Items: Items.map(toAttributes),
    ...(LastEvaluatedKey && { LastEvaluatedKey }),
  };
};

const toAttributes = (item: object): Record<string, StringAttribute> =>
  Object.fromEntries(Object.entries(item).map(([name, value]: [string, unknown]) => [name, { S: value }]));

export const handler = buildHandler({
  store: queryPlantStore(query, variable(process.env, 'TABLE_NAME')),
  log: console,
  now: () => Date.now(),
});
