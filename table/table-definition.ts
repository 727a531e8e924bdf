import type { CreateTableCommandInput, KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { plantIndex, primaryKey } from './keys.ts';

type Key = Readonly<Record<'partitionKey' | 'sortKey', string>>;

const schemaOf = ({ partitionKey, sortKey }: Key): KeySchemaElement[] => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

/** A table like the deployed one (infra/plants-table.ts), for CreateTable. */
export const tableDefinition = (TableName: string): CreateTableCommandInput => {
  const index = { IndexName: plantIndex.name, KeySchema: schemaOf(plantIndex) };
  const attributes = [primaryKey.partitionKey, primaryKey.sortKey, plantIndex.partitionKey];
  return {
    TableName,
    KeySchema: schemaOf(primaryKey),
    AttributeDefinitions: attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    GlobalSecondaryIndexes: [{ ...index, Projection: { ProjectionType: 'KEYS_ONLY' } }],
    BillingMode: 'PAY_PER_REQUEST',
  };
};
