import type { Template } from 'aws-cdk-lib/assertions';
import { z } from 'zod';

const resourcesSchema = z.record(z.string(), z.looseObject({ Properties: z.looseObject({}).default({}) }));

/** The properties of each resource of a type. */
export const propertiesOf = (template: Template, type: string): readonly Record<string, unknown>[] =>
  Object.values(resourcesSchema.parse(template.findResources(type))).map(({ Properties }) => Properties);

/** The logical id of the first resource of a type whose id has this prefix. */
export const idOf = (template: Template, type: string, prefix = ''): string =>
  Object.keys(template.findResources(type)).find((id) => id.startsWith(prefix)) ?? `no ${type}`;
