import type { Stack } from 'aws-cdk-lib';
import { AttributeType, Billing, type ITableV2, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { plantIndex, primaryKey } from '../table/keys.ts';
import { expiryAttribute } from '../table/request-record.ts';
import { removalPolicyOf } from './data-policy.ts';
import type { Stage } from './stage-type.ts';

/**
 * The stage's own table, or the existing table `stage.tableName`, which no deployment changes. The own
 * table is a global table with one replica, because CloudFormation cannot turn another kind of table into a
 * global table later.
 */
export const plantsTable = (stack: Stack, stage: Stage): ITableV2 => {
  const { data, tableName } = stage;
  if (tableName !== undefined) return TableV2.fromTableName(stack, 'Plants', tableName);
  return new TableV2(stack, 'Plants', {
    partitionKey: { name: primaryKey.partitionKey, type: AttributeType.STRING },
    sortKey: { name: primaryKey.sortKey, type: AttributeType.STRING },
    billing: Billing.onDemand(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: data === 'protected' },
    deletionProtection: data === 'protected',
    removalPolicy: removalPolicyOf(stage),
    // DynamoDB deletes expired records of requests at no cost.
    timeToLiveAttribute: expiryAttribute,
    globalSecondaryIndexes: [
      {
        // `npm run plants` reads this index. The functions do not.
        indexName: plantIndex.name,
        partitionKey: { name: plantIndex.partitionKey, type: AttributeType.STRING },
        sortKey: { name: plantIndex.sortKey, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      },
    ],
  });
};
