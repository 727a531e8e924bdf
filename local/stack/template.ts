import { z } from 'zod';

// The resource properties that the local service reads (AWS: "CloudFormation resource types reference"). A
// strict object lists all that the gateway emulates: a stack with any other is rejected.

export const apiSchema = z.object({
  CorsConfiguration: z.never('no CORS headers are sent, so leave corsOrigins empty').optional(),
});

export const routeSchema = z.strictObject({
  ApiId: z.string(),
  RouteKey: z
    .string()
    .regex(
      /^(?!ANY )[A-Z]+ (\/([^{}/]*|\{[a-zA-Z]\w*\}))+$/,
      'it must be a method other than ANY and a path, in which a parameter such as {name} is a whole segment',
    ),
  Target: z.string(),
  AuthorizationType: z.enum(['NONE', 'CUSTOM']).default('NONE'),
  AuthorizerId: z.string().default(''),
});

export const integrationSchema = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
  TimeoutInMillis: z.number().default(30_000),
});

export const authorizerSchema = z.strictObject({
  ApiId: z.string(),
  Name: z.string(),
  AuthorizerType: z.literal('REQUEST'),
  AuthorizerUri: z.string(),
  AuthorizerPayloadFormatVersion: z.literal('2.0'),
  AuthorizerResultTtlInSeconds: z.number().default(300),
  EnableSimpleResponses: z.literal(true),
  IdentitySource: z.array(z.string().regex(/^\$request\.header\.[\w-]+$/, 'it must be a header')),
});

export const functionSchema = z.object({
  Handler: z.string(),
  Timeout: z.number().default(3),
  MemorySize: z.number().default(128),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }).default({ Variables: {} }),
});

/** The source of a function's bundle. */
export const codeSchema = z.object({
  bundle: z.object({ entry: z.string(), sourceMaps: z.boolean() }),
});

export const aliasSchema = z.object({ FunctionName: z.string() });

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

export const tableSchema = z.object({
  KeySchema: keySchema,
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  GlobalSecondaryIndexes: z
    .array(
      z.object({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.object({ ProjectionType: z.enum(['ALL', 'KEYS_ONLY']) }),
      }),
    )
    .optional(),
});

export const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z.unknown().optional(),
      /** `place` is where in `infra/` the resource was made, if that is known. */
      Metadata: z.looseObject({ place: z.string().optional() }).default({}),
    }),
  ),
});
