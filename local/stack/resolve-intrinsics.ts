import { z } from 'zod';
import { localRegion, localStackId } from '../service-file.ts';

/** The account that a template's pseudo parameter means on this machine. */
const account = '000000000000';

const intrinsicSchema = z.union([
  z.strictObject({ Ref: z.string() }),
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }),
  z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.string())]) }),
  z.strictObject({ 'Fn::Sub': z.string() }),
]);

/**
 * A reviver for `JSON.parse` that puts values of this machine in place of a template's intrinsic functions, from the
 * inside out. One that has no value here stays what it is, and fails where a text is expected.
 */
export const resolveIntrinsics = (stackName: string): ((key: string, value: unknown) => unknown) => {
  const pseudoParameters = new Map([
    ['AWS::AccountId', account],
    ['AWS::Partition', 'aws'],
    ['AWS::Region', localRegion],
    ['AWS::StackId', localStackId],
    ['AWS::StackName', stackName],
    ['AWS::URLSuffix', 'amazonaws.com'],
  ]);
  const refer = (id: string): string => pseudoParameters.get(id) ?? nameOf(stackName, id);
  return (_key, value) => {
    const { data } = intrinsicSchema.safeParse(value);
    if (data === undefined) return value;
    if ('Ref' in data) return refer(data.Ref);
    if ('Fn::GetAtt' in data)
      return `arn:aws:local:${localRegion}:${account}:${nameOf(stackName, data['Fn::GetAtt'][0])}`;
    if ('Fn::Join' in data) return data['Fn::Join'][1].join(data['Fn::Join'][0]);
    return data['Fn::Sub'].replaceAll(/\$\{([^}]+)\}/g, (_match, id: string) => refer(id));
  };
};

/** The name of a resource on this machine. */
export const nameOf = (stackName: string, logicalId: string): string => `${stackName}-${logicalId}`;
