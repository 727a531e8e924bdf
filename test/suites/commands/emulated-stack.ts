import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { z } from 'zod';
import { stageNamed, templateOf } from '../../support/synthesized.ts';
import { region } from '../../support/table/dynamodb-table.ts';
import { rootKeys } from '../emulator.ts';
import { endpoint } from './operator-shell.ts';

const templateSchema = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.looseObject({}).default({}) })),
  Outputs: z.record(z.string(), z.unknown()),
});

/** The types of resources that the commands of the documents use and that the emulator has. */
const emulatedTypes = new Set(
  [
    ...['ApiGatewayV2::Api', 'ApiGatewayV2::Stage', 'DynamoDB::GlobalTable', 'IAM::Role', 'Logs::LogGroup'],
    ...['Lambda::Alias', 'Lambda::Function', 'Lambda::Version'],
  ].map((type) => `AWS::${type}`),
);

/** The template of prod with only the emulated types, and with functions that return their event. */
const emulatedTemplate = (): string => {
  const { Resources, Outputs } = templateSchema.parse(templateOf(stageNamed('prod')).toJSON());
  const resources = Object.entries(Resources)
    .filter(([, { Type }]) => emulatedTypes.has(Type))
    .map(([id, { Type, Properties }]) => {
      const code =
        Type === 'AWS::Lambda::Function'
          ? { Code: { ZipFile: 'exports.handler = async (event) => event;' } }
          : {};
      return [id, { Type, Properties: { ...Properties, ...code } }] as const;
    });
  return JSON.stringify({ Resources: Object.fromEntries(resources), Outputs });
};

/** Creates prod's stack on the emulator, and returns its outputs. */
export const createStack = async (): Promise<Readonly<Record<string, string>>> => {
  const client = new CloudFormationClient({ endpoint, region, credentials: rootKeys });
  const StackName = 'PlantStore-prod';
  const TemplateBody = emulatedTemplate();
  await client.send(
    new CreateStackCommand({ StackName, TemplateBody, Capabilities: ['CAPABILITY_NAMED_IAM'] }),
  );
  await waitUntilStackCreateComplete({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 }, { StackName });
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  client.destroy();
  return Object.fromEntries(
    (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
};
