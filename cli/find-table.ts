import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import * as local from '../local/service-file.ts';
import { UserError } from './terminal/user-error.ts';

/** Which table a command uses: that of a stage, one by name, or else that of the running local service. */
export type TableOptions = Readonly<Partial<Record<'stage' | 'table', string>>>;

/**
 * Finds a table. Unless it is local, the SDK reads endpoint, Region and credentials from the environment.
 * @throws {UserError} if the stage does not exist, the local service is not running, or an address is bad
 */
export const findTable = async (options: TableOptions): Promise<DynamoDBClientConfig & { name: string }> => {
  const { stage, table } = options;
  for (const each of ['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_CLOUDFORMATION', 'AWS_ENDPOINT_URL_DYNAMODB'])
    local.endpointFrom(each);
  const named = stage === undefined ? table : await deployedTableName(stage);
  if (named !== undefined) return { name: named };
  const { storeEndpoint: endpoint, tableName: name } = local.runningService();
  return { name, endpoint, region: local.localRegion, credentials: local.storeCredentials() };
};

const deployedTableName = async (stage: string): Promise<string> => {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const request = new DescribeStacksCommand({ StackName: `PlantStore-${stage}` });
  const { Stacks: [stack] = [] } = await new CloudFormationClient().send(request).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'ValidationError') throw error;
    throw new UserError(
      `The account and Region have no stack PlantStore-${stage}. Check --stage and AWS_REGION.`,
    );
  });
  const output = stack?.Outputs?.find(({ OutputKey: key }) => key === 'TableName');
  if (output?.OutputValue !== undefined) return output.OutputValue;
  throw new UserError(`The stack PlantStore-${stage} has no output TableName. Deploy it again.`);
};
