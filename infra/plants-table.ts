import type { Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { plantIndex, primaryKey } from '../table/keys.ts';
import { removalPolicyOf } from './data-policy.ts';
import type { Stage } from './stage-settings.ts';

/** The stage's own table, or the existing one that its record names, which no deployment changes. */
export const plantsTable = (stack: Stack, stage: Stage): ITable => {
  const { data, tableName } = stage;
  if (tableName !== undefined) return Table.fromTableName(stack, 'Plants', tableName);
  const table = new Table(stack, 'Plants', {
    partitionKey: { name: primaryKey.partitionKey, type: AttributeType.STRING },
    sortKey: { name: primaryKey.sortKey, type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: data === 'protected' },
    deletionProtection: data === 'protected',
    removalPolicy: removalPolicyOf(stage),
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
