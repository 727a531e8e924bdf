import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../terminal/user-error.ts';
import { arnOf, readTemplate, type Template } from './template.ts';

/** What `npm start` runs of a synthesized stack. */
export interface Stack {
  readonly api: HttpApi;
  readonly functions: readonly FunctionDefinition[];
  readonly table: TableDefinition;
}

export interface HttpApi {
  readonly routes: readonly Route[];
  readonly cors?: Cors | undefined;
}

export interface Route {
  /** Method or `ANY`, a space, a path with `{parameters}`; or `$default`. */
  readonly key: string;
  /** Logical id of the function that answers. */
  readonly functionId: string;
  /** How long the gateway waits for it, in milliseconds. */
  readonly timeout: number;
  readonly authorizer?: Authorizer | undefined;
}

export interface Authorizer {
  readonly functionId: string;
  /** Lower-case names of the headers that identify the caller. */
  readonly identityHeaders: readonly string[];
  /** How long an answer is kept, in seconds. */
  readonly cacheSeconds: number;
}

/** Which web pages of other origins may call the API. */
export interface Cors {
  readonly allowOrigins: readonly string[];
  readonly allowMethods: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  /** Seconds a browser may keep the answer to a preflight request. */
  readonly maxAge?: number | undefined;
}

export interface FunctionDefinition {
  readonly id: string;
  /** Folder of the bundled code. */
  readonly codeFolder: string;
  /** `<file without ending>.<export>`. */
  readonly handler: string;
  /** Seconds. */
  readonly timeout: number;
  /** MB. */
  readonly memorySize: number;
  readonly environment: Readonly<Record<string, string>>;
}

export interface TableDefinition {
  readonly name: string;
  readonly keySchema: readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[];
  readonly attributes: readonly { readonly AttributeName: string; readonly AttributeType: 'S' | 'N' | 'B' }[];
}

/**
 * What the stack's functions are told about tokens.
 * @throws {UserError} when the stack has another token profile, which the local issuer cannot serve
 */
export const settingOf = ({ functions }: Stack, name: 'AUDIENCE' | 'TOKEN_ISSUER'): string => {
  const [setting] = functions.flatMap(({ environment }) => environment[name] ?? []);
  if (setting === undefined) throw new UserError(`The local issuer needs a stack that declares ${name}.`);
  return setting;
};

/**
 * Reads routes, authorizers, functions and the table of a synthesized stack, so that a change in `infra/` shows here.
 * @param assembly the folder `cdk synth` wrote
 * @throws {UserError} when the stack holds something that cannot run on this machine
 */
export const readStack = (assembly: string, stackName: string): Stack => {
  const template = readTemplate(join(assembly, `${stackName}.template.json`), stackName);
  try {
    return {
      api: { routes: readRoutes(template), cors: readCors(template) },
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
      codeFolder: join(assembly, z.string().parse(Metadata['aws:asset:path'])),
      handler: Handler,
      timeout: Timeout,
      memorySize: MemorySize,
      environment: Object.fromEntries(
        Object.entries(Environment.Variables).map(([name, value]) => [name, template.resolve(value)]),
      ),
    };
  });

const tableSchema = z.object({
  KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) })),
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
});

const readTable = (template: Template): TableDefinition => {
  const [table, ...others] = template.resourcesOfType('AWS::DynamoDB::Table');
  if (table === undefined || others.length > 0) throw new UserError('The stack must hold exactly one table.');
  const [id, { Properties }] = table;
  const { KeySchema, AttributeDefinitions } = tableSchema.parse(Properties);
  return { name: template.resolve({ Ref: id }), keySchema: KeySchema, attributes: AttributeDefinitions };
};

const routeSchema = z.object({
  RouteKey: z.string(),
  Target: z.unknown(),
  AuthorizationType: z.enum(['NONE', 'CUSTOM']).default('NONE'),
  AuthorizerId: z.unknown().optional(),
});
const integrationSchema = z.object({
  IntegrationUri: z.unknown(),
  PayloadFormatVersion: z.literal('2.0'),
  TimeoutInMillis: z.number().default(30_000),
});
const authorizerSchema = z.object({
  AuthorizerUri: z.unknown(),
  AuthorizerPayloadFormatVersion: z.literal('2.0'),
  AuthorizerResultTtlInSeconds: z.number().default(300),
  EnableSimpleResponses: z.literal(true),
  IdentitySource: z.array(z.string()),
});

/** The logical id of its function. */
const aliasSchema = z
  .object({ FunctionName: z.object({ Ref: z.string() }) })
  .transform(({ FunctionName }) => FunctionName.Ref);

const readRoutes = (template: Template): readonly Route[] => {
  // An alias stands for its function, of which there is one version here.
  const names = [
    ...template.resourcesOfType('AWS::Lambda::Function').map(([id]) => [arnOf(id), id] as const),
    ...template
      .resourcesOfType('AWS::Lambda::Alias')
      .map(([id, { Properties }]) => [template.resolve({ Ref: id }), aliasSchema.parse(Properties)] as const),
  ];
  const functionBehind = (uri: unknown): string => {
    const resolved = template.resolve(uri);
    const [, functionId] = names.find(([name]) => resolved.includes(name)) ?? [];
    if (functionId === undefined) throw new UserError(`${resolved} is not a function of this stack.`);
    return functionId;
  };
  /** The resource of this type that a reference, or a text that holds one, means. */
  const referred = (type: string, reference: unknown): unknown => {
    const text = template.resolve(reference);
    return template.resourcesOfType(type).find(([id]) => text.endsWith(template.resolve({ Ref: id })))?.[1]
      .Properties;
  };
  const readAuthorizer = (reference: unknown): Authorizer => {
    const properties = authorizerSchema.parse(referred('AWS::ApiGatewayV2::Authorizer', reference));
    return {
      functionId: functionBehind(properties.AuthorizerUri),
      identityHeaders: properties.IdentitySource.map(headerName),
      cacheSeconds: properties.AuthorizerResultTtlInSeconds,
    };
  };
  return template.resourcesOfType('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => {
    const route = routeSchema.parse(Properties);
    const integration = integrationSchema.parse(referred('AWS::ApiGatewayV2::Integration', route.Target));
    return {
      key: route.RouteKey,
      functionId: functionBehind(integration.IntegrationUri),
      timeout: integration.TimeoutInMillis,
      authorizer: route.AuthorizationType === 'CUSTOM' ? readAuthorizer(route.AuthorizerId) : undefined,
    };
  });
};

const headerName = (identitySource: string): string => {
  const name = /^\$request\.header\.([\w-]+)$/.exec(identitySource)?.[1];
  if (name === undefined) throw new UserError(`The identity source ${identitySource} is not a header.`);
  return name.toLowerCase();
};

const corsSchema = z.object({
  AllowOrigins: z.array(z.string()).default([]),
  AllowMethods: z.array(z.string()).default([]),
  AllowHeaders: z.array(z.string()).default([]),
  ExposeHeaders: z.array(z.string()).default([]),
  MaxAge: z.number().optional(),
});

const readCors = (template: Template): Cors | undefined => {
  const [api] = template.resourcesOfType('AWS::ApiGatewayV2::Api');
  const configuration = api?.[1].Properties['CorsConfiguration'];
  if (configuration === undefined) return undefined;
  const { AllowOrigins, AllowMethods, AllowHeaders, ExposeHeaders, MaxAge } = corsSchema.parse(configuration);
  return {
    allowOrigins: AllowOrigins,
    allowMethods: AllowMethods,
    allowHeaders: AllowHeaders,
    exposeHeaders: ExposeHeaders,
    maxAge: MaxAge,
  };
};
