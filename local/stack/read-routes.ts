import { z } from 'zod';
import { UserError } from '../../terminal/user-error.ts';
import type { Authorizer, Route } from './stack.ts';
import { arnOf, type Template } from './template.ts';

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

/**
 * Reads the routes of the API with their authorizers.
 * @throws {UserError} when one does not lead to a function of the stack
 */
export const readRoutes = (template: Template): readonly Route[] => {
  // An alias means its function, which has one version here.
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
  /** The properties of the resource of this type that a reference, or a text with one, names. */
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
