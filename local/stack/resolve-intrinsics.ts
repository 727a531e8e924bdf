import { z } from 'zod';
import { localRegion } from '../service-file.ts';

const account = '000000000000';
const stackName = 'PlantStore-local';

const pseudoParameters: ReadonlyMap<string, string> = new Map([
  ['AWS::AccountId', account],
  ['AWS::Partition', 'aws'],
  ['AWS::Region', localRegion],
  // The salt of `callerId`: without the Region, so that caller ids do not depend on AWS_REGION.
  ['AWS::StackId', `arn:aws:cloudformation:local:${account}:stack/${stackName}/local`],
  ['AWS::StackName', stackName],
  ['AWS::URLSuffix', 'amazonaws.com'],
]);

const intrinsicSchema = z.union([
  z.strictObject({ Ref: z.string() }),
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }),
  z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.string())]) }),
]);

/**
 * A reviver for `JSON.parse` that replaces a template's intrinsic functions by local values. An unsupported
 * one stays an object, which the schemas reject where they expect a string.
 */
export const resolveIntrinsics = (_key: string, value: unknown): unknown => {
  const { data } = intrinsicSchema.safeParse(value);
  if (data === undefined) return value;
  if ('Ref' in data) return pseudoParameters.get(data.Ref) ?? nameOf(data.Ref);
  if ('Fn::Join' in data) return data['Fn::Join'][1].join(data['Fn::Join'][0]);
  return `arn:aws:local:${localRegion}:${account}:${nameOf(data['Fn::GetAtt'][0])}`;
};

/** The name of a resource on this machine. */
export const nameOf = (logicalId: string): string => `${stackName}-${logicalId}`;
