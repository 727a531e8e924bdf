import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { region } from '../../support/table/dynamodb-table.ts';
import { callEmulator, rootKeys, sendJson } from '../emulator.ts';

/** The lists of the emulated account's resources, such as stacks, tables and roles, as one text. */
export const contentOf = async (endpoint: string): Promise<string> => {
  const get = (service: string, path: string): Promise<string> =>
    callEmulator(endpoint, { service, method: 'GET', path });
  const lists = await Promise.all([
    get('cloudformation', '/?Action=DescribeStacks&Version=2010-05-15'),
    sendJson(endpoint, 'dynamodb', 'DynamoDB_20120810.ListTables'),
    sendJson(endpoint, 'logs', 'Logs_20140328.DescribeLogGroups'),
    sendJson(endpoint, 'cognito-idp', 'AWSCognitoIdentityProviderService.ListUserPools', { MaxResults: 60 }),
    get('lambda', '/2015-03-31/functions/'),
    get('apigateway', '/v2/apis'),
    get('iam', '/?Action=ListRoles&Version=2010-05-08'),
  ]);
  return lists.join('\n');
};

const listedTypes: readonly (string | undefined)[] = [
  'AWS::ApiGatewayV2::Api',
  'AWS::Cognito::UserPool',
  'AWS::DynamoDB::Table',
  'AWS::IAM::Role',
  'AWS::Lambda::Function',
  'AWS::Logs::LogGroup',
];

/** The names and ids by which `contentOf` lists a stack and its resources. */
export const namesOf = async (endpoint: string, StackName: string): Promise<readonly string[]> => {
  const cloudFormation = new CloudFormationClient({ endpoint, region, credentials: rootKeys });
  const { StackResources = [] } = await cloudFormation.send(new DescribeStackResourcesCommand({ StackName }));
  const resources = StackResources.filter(({ ResourceType }) => listedTypes.includes(ResourceType));
  return [StackName, ...resources.flatMap(({ PhysicalResourceId }) => PhysicalResourceId ?? [])];
};
