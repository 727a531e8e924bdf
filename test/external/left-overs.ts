import { z } from 'zod';
import { callEmulator } from './emulator.ts';

/** Sends a request of the services that take forms and respond with XML. */
const form = (
  endpoint: string,
  service: string,
  parameters: Readonly<Record<string, string>>,
): Promise<string> =>
  callEmulator(endpoint, {
    service,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(parameters).toString(),
  });

/** What the emulated account holds: each list of stacks, tables, log groups, user pools, functions, APIs and roles, as text. */
export const contentOf = async (endpoint: string): Promise<string> => {
  const list = (service: string, target: string, body = '{}'): Promise<string> =>
    callEmulator(endpoint, {
      service,
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
      body,
    });
  const lists = await Promise.all([
    form(endpoint, 'cloudformation', { Action: 'DescribeStacks', Version: '2010-05-15' }),
    list('dynamodb', 'DynamoDB_20120810.ListTables'),
    list('logs', 'Logs_20140328.DescribeLogGroups'),
    list('cognito-idp', 'AWSCognitoIdentityProviderService.ListUserPools', '{"MaxResults":60}'),
    callEmulator(endpoint, { service: 'lambda', method: 'GET', path: '/2015-03-31/functions/' }),
    callEmulator(endpoint, { service: 'apigateway', method: 'GET', path: '/v2/apis' }),
    form(endpoint, 'iam', { Action: 'ListRoles', Version: '2010-05-08' }),
  ]);
  return lists.join('\n');
};

const listed = z.enum([
  'AWS::ApiGatewayV2::Api',
  'AWS::Cognito::UserPool',
  'AWS::DynamoDB::Table',
  'AWS::IAM::Role',
  'AWS::Lambda::Function',
  'AWS::Logs::LogGroup',
]);

/** The names and ids by which `contentOf` lists a stack and its resources. */
export const namesOf = async (endpoint: string, stackName: string): Promise<readonly string[]> => {
  const described = await form(endpoint, 'cloudformation', {
    Action: 'DescribeStackResources',
    Version: '2010-05-15',
    StackName: stackName,
  });
  const resources = [...described.matchAll(/<member>(.*?)<\/member>/gs)].map(([, resource = '']) => {
    const valueOf = (name: string): string => new RegExp(`<${name}>([^<]*)<`).exec(resource)?.[1] ?? '';
    return { type: valueOf('ResourceType'), name: valueOf('PhysicalResourceId') };
  });
  return [
    stackName,
    ...resources.filter(({ type }) => listed.safeParse(type).success).map(({ name }) => name),
  ];
};
