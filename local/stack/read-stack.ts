import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../terminal/user-error.ts';
import { readRoutes } from './read-routes.ts';
import {
  bundleSourceSchema,
  type Cors,
  corsSchema,
  type FunctionDefinition,
  type Stack,
  type TableDefinition,
  tableSchema,
} from './stack.ts';
import { readTemplate, type Template } from './template.ts';

/**
 * Reads the routes, authorizers, functions and table of a synthesized stack, so that a change in `infra/` takes effect.
 * @param assembly the folder `cdk synth` wrote
 * @throws {UserError} when a part of the stack cannot run on this machine
 */
export const readStack = (assembly: string, stackName: string): Stack => {
  const template = readTemplate(join(assembly, `${stackName}.template.json`), stackName);
  try {
    return {
      api: {
        routes: readRoutes(template),
        cors: readCors(template),
        accessLogFormat: readAccessLogFormat(template),
      },
      functions: readFunctions(template, assembly),
      table: readTable(template),
    };
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    throw new UserError(
      `The stack cannot run on this machine: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`,
    );
  }
};

const functionSchema = z.object({
  Handler: z.string(),
  Timeout: z.number().default(3),
  MemorySize: z.number().default(128),
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }).default({ Variables: {} }),
});

const readFunctions = (template: Template, assembly: string): readonly FunctionDefinition[] =>
  template.resourcesOfType('AWS::Lambda::Function').map(([id, { Properties, Metadata }]) => {
    const { Handler, Timeout, MemorySize, Environment } = functionSchema.parse(Properties);
    return {
      id,
      source: bundleSourceSchema.parse(Metadata['bundle']),
      codeFolder: join(assembly, z.string().parse(Metadata['aws:asset:path'])),
      handler: Handler,
      timeout: Timeout,
      memorySize: MemorySize,
      environment: Object.fromEntries(
        Object.entries(Environment.Variables).map(([name, value]) => [name, template.resolve(value)]),
      ),
    };
  });

const readTable = (template: Template): TableDefinition => {
  const [table, ...others] = template.resourcesOfType('AWS::DynamoDB::Table');
  if (table === undefined || others.length > 0) throw new UserError('The stack must hold exactly one table.');
  const [id, { Properties }] = table;
  return { name: template.resolve({ Ref: id }), ...tableSchema.parse(Properties) };
};

const readCors = (template: Template): Cors | undefined => {
  const [api] = template.resourcesOfType('AWS::ApiGatewayV2::Api');
  return corsSchema.optional().parse(api?.[1].Properties['CorsConfiguration']);
};

const accessLogSchema = z.object({ Format: z.string() });

const readAccessLogFormat = (template: Template): string | undefined => {
  const [stage] = template.resourcesOfType('AWS::ApiGatewayV2::Stage');
  return accessLogSchema.optional().parse(stage?.[1].Properties['AccessLogSettings'])?.Format;
};
