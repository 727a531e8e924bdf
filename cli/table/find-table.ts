import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { UserError } from '../../terminal/user-error.ts';
import {
  localCredentials,
  localRegion,
  ownCredentials,
  ownStoreEndpoint,
  runningService,
} from '../../local/service-file.ts';
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
  if (stage !== undefined) return plantTable(dynamoDb({}), await tableOfStage(stage));
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

const tableOfStage = async (stage: string): Promise<string> => {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const stackName = `PlantStore-${stage}`;
  const client = new CloudFormationClient();
  try {
    const { Stacks: stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const output = stacks[0]?.Outputs?.find(({ OutputKey: key }) => key === 'TableName')?.OutputValue;
    if (output === undefined)
      throw new UserError(`The stack ${stackName} has no output TableName. Deploy it again.`);
    return output;
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError')
      throw new UserError(
        `There is no stack ${stackName} in this account and Region. Deploy it, or pass another --stage, account or AWS_REGION.`,
      );
    throw error;
  } finally {
    client.destroy();
  }
};
