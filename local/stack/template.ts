import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { UserError } from '../../terminal/user-error.ts';
import { localRegion, localStackId } from '../service-file.ts';

/** The account that a template's pseudo parameter means on this machine. */
const account = '000000000000';

const resourceSchema = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Metadata: z.record(z.string(), z.unknown()).default({}),
});

type Resource = Readonly<z.infer<typeof resourceSchema>>;

/** A synthesized CloudFormation template, with the values of its intrinsic functions on this machine. */
export interface Template {
  /** The resources of one type, by logical id. */
  readonly resourcesOfType: (type: string) => readonly (readonly [logicalId: string, Resource])[];
  /**
   * The value of a string property.
   * @throws {UserError} for an intrinsic function that has no value here
   */
  readonly resolve: (value: unknown) => string;
}

/** A resource's ARN on this machine. */
export const arnOf = (logicalId: string): string => `arn:aws:local:${localRegion}:${account}:${logicalId}`;

/** Reads a template file as `cdk synth` writes it. */
export const readTemplate = (file: string, stackName: string): Template => {
  const { Resources: resources } = z
    .object({ Resources: z.record(z.string(), resourceSchema) })
    .parse(JSON.parse(readFileSync(file, 'utf8')));

  const pseudoParameters = new Map([
    ['AWS::AccountId', account],
    ['AWS::Partition', 'aws'],
    ['AWS::Region', localRegion],
    ['AWS::StackId', localStackId],
    ['AWS::StackName', stackName],
    ['AWS::URLSuffix', 'amazonaws.com'],
  ]);
  const refer = (id: string): string => {
    const pseudo = pseudoParameters.get(id);
    if (pseudo !== undefined) return pseudo;
    if (resources[id] === undefined) throw new UserError(`${file} refers to "${id}", which is not in it.`);
    return `${stackName}-${id}`;
  };
  const resolve = (value: unknown): string => {
    const intrinsic = intrinsicSchema.safeParse(value);
    if (!intrinsic.success) {
      throw new UserError(`${file} holds ${JSON.stringify(value)}, which has no value outside AWS.`);
    }
    const { data } = intrinsic;
    if (typeof data === 'string') return data;
    if (typeof data === 'number') return String(data);
    if ('Ref' in data) return refer(data.Ref);
    if ('Fn::GetAtt' in data) return arnOf(data['Fn::GetAtt'][0]);
    if ('Fn::Join' in data) return data['Fn::Join'][1].map(resolve).join(data['Fn::Join'][0]);
    return data['Fn::Sub'].replaceAll(/\$\{([^}]+)\}/g, (_match, id: string) => refer(id));
  };

  return {
    resourcesOfType: (type) => Object.entries(resources).filter(([, resource]) => resource.Type === type),
    resolve,
  };
};

const intrinsicSchema = z.union([
  z.string(),
  z.number(),
  z.object({ Ref: z.string() }),
  z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) }),
  z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
  z.object({ 'Fn::Sub': z.string() }),
]);
