import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readStack, type Stack } from '../../../local/stack/read-stack.ts';
import { stageNamed, withAssembly } from '../../support/synthesized.ts';

type Resource = Readonly<{ Type: string; Properties: Record<string, unknown> }>;
const templateSchema = z.object({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()) }),
  ),
});

/** Reads the local stage's stack after a change of one resource's properties, or after an addition of resources. */
const readChanged = (
  change: { readonly of: string; readonly to: Readonly<Record<string, unknown>> },
  added: Readonly<Record<string, Resource>> = {},
): Stack =>
  withAssembly(stageNamed('local'), (assembly, stackName) => {
    const file = join(assembly, `${stackName}.template.json`);
    const { Resources } = templateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    for (const resource of Object.values(Resources))
      if (resource.Type === change.of) Object.assign(resource.Properties, change.to);
    writeFileSync(file, JSON.stringify({ Resources: { ...Resources, ...added } }));
    return readStack(assembly, stackName);
  });

const nothing = { of: '', to: {} };

describe('the local service reads from the template', () => {
  it('the route with its authorizer, cache time, timeouts and variables', () => {
    const stack = readChanged({ of: 'AWS::ApiGatewayV2::Integration', to: { TimeoutInMillis: 5000 } });
    const [authorizer, list] = ['AUDIENCE', 'TABLE_NAME'].map((name) =>
      stack.functions.find(({ environment }) => name in environment),
    );
    expect(stack.api.routes).toEqual([
      {
        key: 'GET /plants',
        functionId: list?.id,
        timeout: 5000,
        authorizer: { functionId: authorizer?.id, identityHeaders: ['authorization'], cacheSeconds: 60 },
      },
    ]);
    expect(list?.environment['TABLE_NAME']).toBe(stack.table.name);
    expect(authorizer?.environment['CALLER_ID_SALT']).toMatch(/^arn:aws:cloudformation:local:/);
  });
});

describe('the local service refuses in one sentence', () => {
  it.each([
    [
      'an authorizer of another type',
      { of: 'AWS::ApiGatewayV2::Authorizer', to: { AuthorizerType: 'JWT' } },
      /BearerAuthorizer\w*\.Properties\.AuthorizerType: .+\.$/,
    ],
    [
      'an authorizer that reads no header',
      { of: 'AWS::ApiGatewayV2::Authorizer', to: { IdentitySource: ['$request.querystring.token'] } },
      /IdentitySource\.0: it must be a header\.$/,
    ],
    [
      'an integration that is no function',
      { of: 'AWS::ApiGatewayV2::Integration', to: { IntegrationType: 'HTTP_PROXY' } },
      /Integration\w*\.Properties\.IntegrationType: .+\.$/,
    ],
    [
      'a function of another stack',
      {
        of: 'AWS::ApiGatewayV2::Integration',
        to: { IntegrationUri: 'arn:aws:lambda:eu-central-1:1:function:other' },
      },
      /"arn:aws:lambda:.+", which is not in the stack\.$/,
    ],
    [
      'a path with a parameter',
      { of: 'AWS::ApiGatewayV2::Route', to: { RouteKey: 'GET /plants/{id}' } },
      /RouteKey: it must be a method and a path without parameters\.$/,
    ],
    [
      'a setting that it does not know',
      { of: 'AWS::ApiGatewayV2::Route', to: { AuthorizationScopes: ['plants'] } },
      /Properties: .*"AuthorizationScopes"\.$/,
    ],
    [
      'a variable that has a value on AWS only',
      {
        of: 'AWS::Lambda::Function',
        to: { Environment: { Variables: { HOST: { 'Fn::ImportValue': 'host' } } } },
      },
      /Environment\.Variables\.HOST: .+\.$/,
    ],
  ])('%s', (_, change, message) => {
    expect(() => readChanged(change)).toThrow(message);
  });

  it('a second table', () => {
    const second: Resource = {
      Type: 'AWS::DynamoDB::Table',
      Properties: { KeySchema: [], AttributeDefinitions: [] },
    };
    expect(() => readChanged(nothing, { Second: second })).toThrow(
      /^The local service runs a stack with one AWS::DynamoDB::Table/,
    );
  });
});
