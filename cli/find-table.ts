import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { endpointFrom } from '../terminal/aws-endpoint.ts';
import { runningService, storeLogin } from '../terminal/local-service.ts';
import { UserError } from '../terminal/user-error.ts';

/** Which table a command uses: that of a stage, the table with a name, or by default the local service's. */
export type TableOptions = Readonly<Partial<Record<'stage' | 'table', string>>>;

/** A table's name, and how a client reaches it. */
type FoundTable = DynamoDBClientConfig & { readonly name: string };

/** @throws {UserError} if the stage has no table, the local service is not running, or an address is bad */
export const findTable = async ({ stage, table }: TableOptions): Promise<FoundTable> => {
  if (stage !== undefined) return { name: await deployedTableName(stage), ...awsSettings() };
  return table === undefined ? localTable() : { name: table, ...awsSettings() };
};

/** How long a client waits for a connection and for a response, in milliseconds. */
const timeouts = { connectionTimeout: 3000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/** For clients of AWS. The SDK reads endpoint, Region and credentials from the environment. */
const awsSettings = () => {
  // Only checked here, because the SDK reads these variables itself.
  for (const variable of ['AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_CLOUDFORMATION', 'AWS_ENDPOINT_URL_DYNAMODB'])
    endpointFrom(variable);
  // HTTPS_PROXY and NO_PROXY apply.
  const requestHandler = { ...timeouts, httpsAgent: { proxyEnv: process.env } };
  // Without `clientConfig`, a login through IAM Identity Center would not use the proxy.
  return { requestHandler, credentials: defaultProvider({ clientConfig: { requestHandler } }) };
};

/** The local table. The machine's AWS settings do not apply to it. */
const localTable = (): FoundTable => {
  const { storeEndpoint: endpoint, tableName: name } = runningService();
  return {
    name,
    endpoint,
    requestHandler: timeouts,
    ...storeLogin,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    accountIdEndpointMode: 'disabled',
  };
};

const deployedTableName = async (stage: string): Promise<string> => {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const command = new DescribeStacksCommand({ StackName: `PlantStore-${stage}` });
  const { Stacks: [stack] = [] } = await new CloudFormationClient(awsSettings()).send(command);
  const output = stack?.Outputs?.find(({ OutputKey: key }) => key === 'TableName');
  if (output?.OutputValue !== undefined) return output.OutputValue;
  throw new UserError(`The stack PlantStore-${stage} has no output TableName. Deploy it again.`);
};
