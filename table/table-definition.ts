import type { CreateTableCommandInput, KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { plantIndex } from './plant-index.ts';

const keys = (partitionKey: string, sortKey: string): KeySchemaElement[] => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

/** A table like the deployed one (infra/plants-table.ts). */
export const tableDefinition = (TableName: string): CreateTableCommandInput => {
  const index = { IndexName: plantIndex.name, KeySchema: keys(plantIndex.partitionKey, plantIndex.sortKey) };
  const attributes = ['principal', 'sortKey', plantIndex.partitionKey];
  return {
    TableName,
    KeySchema: keys('principal', 'sortKey'),
    AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    GlobalSecondaryIndexes: [{ ...index, Projection: { ProjectionType: 'KEYS_ONLY' } }],
    BillingMode: 'PAY_PER_REQUEST',
  };
};
