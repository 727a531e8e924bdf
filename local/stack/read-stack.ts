import type { z } from 'zod';
import type { BundleSource } from '../../infra/bundle.ts';
import { UserError } from '../../cli/terminal/user-error.ts';
import { nameOf, resolveIntrinsics } from './resolve-intrinsics.ts';
import * as template from './template.ts';

/** The parts of a synthesized stack that `npm start` runs. */
export interface Stack {
  readonly routes: readonly Route[];
  readonly functions: readonly FunctionDefinition[];
  readonly table: TableDefinition;
}

export interface Route {
  /** Method, space, path. */
  readonly key: string;
  /** The id of the function that responds. */
  readonly functionId: string;
  /** How long the gateway waits for it, in milliseconds. */
  readonly timeout: number;
  readonly authorizer: Authorizer | undefined;
}

export interface Authorizer {
  readonly functionId: string;
  /** Lower-case names of the headers that identify the caller. */
  readonly identityHeaders: readonly string[];
  /** How long a result is cached, in seconds. */
  readonly cacheSeconds: number;
}

export interface FunctionDefinition {
  readonly id: string;
  readonly source: BundleSource;
  /** `<file without ending>.<export>`. */
  readonly handler: string;
  /** In seconds. */
  readonly timeout: number;
  /** In MB. */
  readonly memorySize: number;
  readonly environment: Readonly<Record<string, string>>;
}

export type TableDefinition = Readonly<z.infer<typeof template.tableSchema>> & { readonly name: string };

/**
 * Reads the routes, authorizers, functions and table of a synthesized stack.
 * @param text the template as JSON
 * @param isDebugged whether a debugger is attached: then all timeouts are a day, for pauses at breakpoints
 * @throws {UserError} when a part of the stack cannot run on this machine
 */
export const readStack = (text: string, isDebugged = false): Stack => {
  const timeoutFor = (seconds: number): number => (isDebugged ? 24 * 3600 : seconds);
  const { Resources } = template.templateSchema.parse(JSON.parse(text, resolveIntrinsics));

  /** The resources of a type, by their names on this machine. */
  const all = <Resource>(
    type: string,
    schema: z.ZodType<Resource>,
    part: 'Properties' | 'Metadata' = 'Properties',
  ): ReadonlyMap<string, Resource> =>
    new Map(
      Object.entries(Resources).flatMap(([id, resource]) => {
        if (resource.Type !== type) return [];
        const { data, error } = schema.safeParse(resource[part]);
        if (data !== undefined) return [[nameOf(id), data]];
        const [issue] = error?.issues ?? [];
        const property = [id, part, ...(issue?.path ?? [])].join('.');
        const { place } = resource.Metadata;
        const prefix = place === undefined ? '' : `${place}: `;
        throw new UserError(`${prefix}The local service cannot run ${property}: ${issue?.message ?? ''}.`);
      }),
    );
  /** The resource whose name is in a reference, such as an ARN. */
  const named = <Resource>(resources: ReadonlyMap<string, Resource>, reference: string): Resource => {
    const resource = resources.get(reference.split(/[/:]/).find((part) => resources.has(part)) ?? '');
    if (resource !== undefined) return resource;
    throw new UserError(`The local service cannot resolve "${reference}": the stack has no such resource.`);
  };

  all('AWS::ApiGatewayV2::Api', template.apiSchema);
  const codes = all('AWS::Lambda::Function', template.codeSchema, 'Metadata');
  const functions = [...all('AWS::Lambda::Function', template.functionSchema)].map(
    ([id, { Handler: handler, Timeout, MemorySize: memorySize, Environment }]) => {
      const { bundle: source } = named(codes, id);
      const timeout = timeoutFor(Timeout);
      return { id, source, handler, timeout, memorySize, environment: Environment.Variables };
    },
  );
  /** Function ids by the names of functions and aliases. A function has one version on this machine. */
  const ids = new Map(functions.map(({ id }) => [id, id]));
  for (const [name, { FunctionName }] of all('AWS::Lambda::Alias', template.aliasSchema))
    ids.set(name, named(ids, FunctionName));
  const authorizers = all('AWS::ApiGatewayV2::Authorizer', template.authorizerSchema);
  const integrations = all('AWS::ApiGatewayV2::Integration', template.integrationSchema);

  const authorizerOf = (reference: string): Authorizer => {
    const { AuthorizerUri, IdentitySource, AuthorizerResultTtlInSeconds } = named(authorizers, reference);
    return {
      functionId: named(ids, AuthorizerUri),
      identityHeaders: IdentitySource.map((each) => each.replace('$request.header.', '').toLowerCase()),
      cacheSeconds: AuthorizerResultTtlInSeconds,
    };
  };
  const routes = [...all('AWS::ApiGatewayV2::Route', template.routeSchema).values()].map((route): Route => {
    const { IntegrationUri, TimeoutInMillis } = named(integrations, route.Target);
    return {
      key: route.RouteKey,
      functionId: named(ids, IntegrationUri),
      timeout: timeoutFor(TimeoutInMillis / 1000) * 1000,
      authorizer: route.AuthorizationType === 'CUSTOM' ? authorizerOf(route.AuthorizerId) : undefined,
    };
  });
  const [[name, table] = [], ...otherTables] = all('AWS::DynamoDB::Table', template.tableSchema);
  if (name === undefined || table === undefined || otherTables.length > 0)
    throw new UserError('The local service needs a stack with exactly one AWS::DynamoDB::Table.');
  return { routes, functions, table: { name, ...table } };
};

/**
 * Reads the audience of the local issuer's tokens from the authorizer's variables.
 * @throws {UserError} when the stack has a token profile without one, which the local issuer does not support
 */
export const audienceOf = ({ functions }: Stack): string => {
  const [audience] = functions.flatMap(({ environment }) => environment['AUDIENCE'] ?? []);
  if (audience === undefined) throw new UserError('The local issuer needs a function that sets AUDIENCE.');
  return audience;
};
