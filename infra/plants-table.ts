import { AttributeType, BillingMode, type ITable, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { plantIndex } from '../table/plant-index.ts';
import type { Stage } from './stage.ts';

/** The stage's own table, or the existing one that its record names, which no deployment changes. */
export const plantsTable = (scope: Construct, { data, tableName }: Stage): ITable => {
  if (tableName !== undefined) return Table.fromTableName(scope, 'Plants', tableName);
  const isProtected = data === 'protected';
  const table = new Table(scope, 'Plants', {
    partitionKey: { name: 'principal', type: AttributeType.STRING },
    sortKey: { name: 'sortKey', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: isProtected },
    deletionProtection: isProtected,
  });
  // For the command line. The list does not read it.
  table.addGlobalSecondaryIndex({
    indexName: plantIndex.name,
    partitionKey: { name: plantIndex.partitionKey, type: AttributeType.STRING },
    sortKey: { name: plantIndex.sortKey, type: AttributeType.STRING },
    projectionType: ProjectionType.KEYS_ONLY,
  });
  return table;
};
