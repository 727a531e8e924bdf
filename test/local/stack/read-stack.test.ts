import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readStack, type Stack } from '../../../local/stack/read-stack.ts';
import { operations } from '../../support/operations.ts';
import { stageNamed, templateOf } from '../../support/synthesized.ts';

type Resource = Readonly<{ Type: string; Properties: Record<string, unknown> }>;
const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()) }),
  ),
});

/** Reads the local stage's stack with other properties of the resources of a type, or with more resources. */
const readChanged = (
  change: { readonly of: string; readonly to: Readonly<Record<string, unknown>> },
  added: Readonly<Record<string, Resource>> = {},
): Stack => {
  const { Resources } = templateSchema.parse(templateOf(stageNamed('local')).toJSON());
  for (const resource of Object.values(Resources))
    if (resource.Type === change.of) Object.assign(resource.Properties, change.to);
  return readStack(JSON.stringify({ Resources: { ...Resources, ...added } }));
};

describe('the local service reads from the template', () => {
  it('the routes with their authorizer, cache time, timeouts and variables', () => {
    const stack = readChanged({ of: 'AWS::ApiGatewayV2::Integration', to: { TimeoutInMillis: 5000 } });
    const functionOf = (folder: string) =>
      stack.functions.find(({ source }) => source.entry === `functions/${folder}/handler.ts`);
    const authorizer = functionOf('authorizer');
    expect(stack.routes).toEqual(
      operations.map(({ route, folder }) => ({
        key: route,
        functionId: functionOf(folder)?.id,
        timeout: 5000,
        authorizer: { functionId: authorizer?.id, identityHeaders: ['authorization'], cacheSeconds: 60 },
      })),
    );
    for (const { folder } of operations) {
      expect(functionOf(folder)?.environment['TABLE_NAME']).toBe(stack.table.name);
    }
    expect(authorizer?.environment['CALLER_ID_SALT']).toMatch(/^arn:aws:cloudformation:local:/);
  });
});

describe('the local service', () => {
  it('uses the timeout of AWS for an integration without one', () => {
    const { routes } = readChanged({ of: 'AWS::ApiGatewayV2::Integration', to: {} });
    expect(routes).toMatchObject(operations.map(() => ({ timeout: 30_000 })));
  });

  it.each(['GET /', 'GET /plants/{name}', 'GET /{kind}/{name}/leaf'])('accepts a route %s', (RouteKey) => {
    const { routes } = readChanged({ of: 'AWS::ApiGatewayV2::Route', to: { RouteKey } });
    expect(routes).toMatchObject(operations.map(() => ({ key: RouteKey })));
  });
});

describe('the local service refuses in one sentence', () => {
  const otherFunction = 'arn:aws:lambda:eu-central-1:1:function:other';
  const onAwsOnly = { Environment: { Variables: { HOST: { 'Fn::ImportValue': 'host' } } } };
  const notARoute = /run Api\w+\.Properties\.RouteKey: it must be a method .+ whole segment\.$/;
  type Refused = [string, of: string, to: Readonly<Record<string, unknown>>, message: RegExp];
  it.each<Refused>([
    [
      'an authorizer of another type',
      'ApiGatewayV2::Authorizer',
      { AuthorizerType: 'JWT' },
      /BearerAuthorizer\w*\.Properties\.AuthorizerType: .+\.$/,
    ],
    [
      'an authorizer that reads no header',
      'ApiGatewayV2::Authorizer',
      { IdentitySource: ['$request.querystring.token'] },
      /IdentitySource\.0: it must be a header\.$/,
    ],
    [
      'an integration of another type',
      'ApiGatewayV2::Integration',
      { IntegrationType: 'HTTP_PROXY' },
      /Integration\w*\.Properties\.IntegrationType: .+\.$/,
    ],
    [
      'a function of another stack',
      'ApiGatewayV2::Integration',
      { IntegrationUri: otherFunction },
      /resolve "arn:aws:lambda:.+": the stack has no such resource\.$/,
    ],
    ...Object.entries({
      'a greedy parameter': 'GET /plants/{proxy+}',
      'a parameter that is part of a segment': 'GET /plants/{name}.json',
      'a parameter without a name': 'GET /plants/{}',
      'a route of any method': 'ANY /plants',
      'the default route': '$default',
    }).map(([what, RouteKey]): Refused => [what, 'ApiGatewayV2::Route', { RouteKey }, notARoute]),
    [
      'a CORS configuration',
      'ApiGatewayV2::Api',
      { CorsConfiguration: { AllowOrigins: ['https://plants.example.com'] } },
      /Properties\.CorsConfiguration: no CORS headers are sent, .+\.$/,
    ],
    [
      'an unknown setting',
      'ApiGatewayV2::Route',
      { AuthorizationScopes: ['plants'] },
      /Properties: .*"AuthorizationScopes"\.$/,
    ],
    ['a variable that has a value on AWS only', 'Lambda::Function', onAwsOnly, /Variables\.HOST: .+\.$/],
  ])('%s', (_, of, to, message) => {
    expect(() => readChanged({ of: `AWS::${of}`, to })).toThrow(message);
  });

  it('a second table', () => {
    const Second = {
      Type: 'AWS::DynamoDB::Table',
      Properties: { KeySchema: [], AttributeDefinitions: [] },
    };
    expect(() => readChanged({ of: '', to: {} }, { Second })).toThrow(
      /^The local service needs a stack with exactly one AWS::DynamoDB::Table/,
    );
  });
});

it('with a debugger, functions and routes have a timeout of one day', () => {
  const text = JSON.stringify(templateOf(stageNamed('local')).toJSON());
  const { functions, routes } = readStack(text, true);
  expect(functions.map(({ timeout }) => timeout)).toEqual(functions.map(() => 86_400));
  expect(routes.map(({ timeout }) => timeout)).toEqual(routes.map(() => 86_400_000));
});
