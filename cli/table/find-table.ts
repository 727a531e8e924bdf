import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { UserError } from '../../terminal/user-error.ts';
import {
  localCredentials,
  localRegion,
  ownCredentials,
  ownStoreEndpoint,
  runningService,
} from '../../local/service-file.ts';
import { deployedStack } from '../deployed-stack.ts';
import { type PlantTable, plantTable } from './plant-table.ts';

/** Which table a command uses: by stage, by name, or else that of the running local service. */
export interface TableOptions {
  readonly stage?: string;
  readonly table?: string;
  readonly endpoint?: string;
}

/** @throws {UserError} when the stack does not exist, or the local service is not running */
export const findTable = async ({ stage, table, endpoint }: TableOptions): Promise<PlantTable> => {
  if (endpoint !== undefined && table === undefined) throw new UserError('Pass --table with --endpoint.');
  if (stage !== undefined && table !== undefined) throw new UserError('Pass --stage or --table, not both.');
  if (stage !== undefined) return plantTable(dynamoDb({}), (await deployedStack(stage)).output('TableName'));
  if (table !== undefined) {
    const at = endpoint !== undefined && { endpoint, region: localRegion, credentials: ownCredentials() };
    return plantTable(dynamoDb({ ...at }), table);
  }
  const { storeEndpoint, tableName } = runningService();
  const credentials = ownStoreEndpoint === undefined ? localCredentials : ownCredentials();
  return plantTable(dynamoDb({ endpoint: storeEndpoint, region: localRegion, credentials }), tableName);
};

const dynamoDb = (config: DynamoDBClientConfig): DynamoDBClient =>
  new DynamoDBClient({
    maxAttempts: 4,
    requestHandler: { connectionTimeout: 3000, requestTimeout: 5000, throwOnRequestTimeout: true },
    ...config,
  });
