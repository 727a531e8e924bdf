import { existsSync } from 'node:fs';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** An operation of the API. The stack deploys it, and `npm start` runs it from its source. */
export interface OperationDefinition {
  /**
   * The id of the operation's function in the stack, with which the ids of its resources and output begin.
   */
  readonly id: string;
  /** As in openapi.yaml: method, space, path, such as `GET /plants/{name}`. */
  readonly route: `${(typeof methods)[number]} /${string}`;
  /** The folder under `functions/` whose `handler.ts` runs. */
  readonly folder: string;
  readonly description: string;
  /** The actions on the table that the operation uses, and no others; default: `defaultActions`. */
  readonly actions?: readonly [`dynamodb:${string}`, ...`dynamodb:${string}`[]];
  /** What the pre-traffic hook sends to each new version; default: no headers and no body. */
  readonly request?: {
    /** Headers by names in lower case. Web pages of the stage's origins may send headers of these names. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  /** The operation's own response headers, in lower case, that web pages of the stage's origins may read. */
  readonly exposedHeaders?: readonly string[];
  /**
   * The response that each new version must give to a caller who has no plants, apart from plants that
   * `request` adds. `error` is a member of the body. Leave out `body` if it differs each time, such as by a
   * new id.
   */
  readonly withoutPlants:
    | { readonly statusCode: number; readonly body?: string }
    | { readonly statusCode: number; readonly error: number };
}

/** The actions on the table of an operation that only lists. */
export const defaultActions = ['dynamodb:Query'] as const;

/** A segment of a path, which is text or one parameter. */
const segment = String.raw`(?:[\w.~-]+|\{[a-zA-Z]\w*\})`;
/** A method, a space and a path, which has no slash at the end. */
const routeSyntax = new RegExp(`^(?:${methods.join('|')}) /(?:${segment}(?:/${segment})*)?$`);

/** The ids of the constructs that a function with this id adds to the stack, except the id of its hook. */
const idsOf = (id: string): readonly string[] =>
  ['', 'Log', 'Role', 'Function', 'Release'].map((suffix) => id + suffix);

/** The ids in the stack that belong to no operation. */
const reservedIds: ReadonlySet<string> = new Set([
  ...idsOf('Authorizer'),
  ...['Plants', 'Users', 'UserPoolId', 'UserPoolClientId', 'TableName', 'Issuer', 'Commit', 'Releases'],
  ...['Api', 'ApiId', 'BaseUrl', 'AccessLog', 'DefaultStage', 'Certificate'],
  ...['Domain', 'DomainMapping', 'DomainTarget'],
  ...['FastBurn', 'FastBurnBegun', 'FastBurnPaused', 'FastBurnCount', 'FastBurnHour', 'FastBurnMinutes'],
  ...['DeniedCallers', 'KeySetFailures'],
  ...['Refused', 'DamagedItems', 'Alarm', 'Dashboard', 'RequestQuery'],
  // CDK adds constructs with these ids, or gives the ids a meaning.
  ...['BootstrapVersion', 'CheckBootstrapVersion', 'CDKMetadata', 'Default', 'Resource'],
]);

/** The folders below `functions/` with a handler that is no operation. */
const reservedFolders = ['authorizer', 'pre-traffic-hook'];

/** The first problem of an operation by itself, apart from conflicts with other operations. */
const problemOf = ({ id, route, folder }: OperationDefinition): string | undefined => {
  if (!/^[A-Z][A-Za-z0-9]{0,63}$/.test(id))
    return 'needs another id: a capital, then at most 63 letters or digits';
  if (id.startsWith('PreTraffic')) return 'needs another id, because the ids of hooks begin with PreTraffic';
  if (!routeSyntax.test(route))
    return (
      `has the route "${route}", which must be a method, a space and a path, like GET /plants/{name}, ` +
      'with no slash at the end'
    );
  if (/(\{\w+\}).*\1/.test(route)) return `has a parameter twice in its route "${route}": rename one`;
  if (/\/\.\.?(\/|$)/.test(route)) return 'needs another route, because clients remove . and .. from it';
  if (/ \/docs(\/|$)/.test(route)) return 'needs another route, because npm start has its API page at /docs';
  if (/ \/s?ping$/.test(route)) return 'needs another route, because API Gateway reserves /ping and /sping';
  if (!/^[a-z][a-z0-9-]*$/.test(folder) || reservedFolders.includes(folder))
    return (
      `has the folder "${folder}": use lower case letters, digits and hyphens, as in list-plants, ` +
      `and not ${reservedFolders.join(' or ')}`
    );
  const handler = `functions/${folder}/handler.ts`;
  if (!existsSync(new URL(`../${handler}`, import.meta.url)))
    return `has no handler: write ${handler}, or correct its folder`;
  return undefined;
};

/**
 * Returns the operations after checking the rules that types cannot express. CDK checks some of them too, but
 * its errors do not name the operation, and `npm start` does not use CDK.
 * @throws {Error} with the operation, and what to do
 */
export const checkOperations = (all: readonly OperationDefinition[]): readonly OperationDefinition[] => {
  const ids = new Set(reservedIds);
  const routes = new Set<string>();
  for (const operation of all) {
    const refuse = (problem: string): never => {
      throw new Error(`infra/operations.ts: operation "${operation.id}" ${problem}.`);
    };
    const problem = problemOf(operation);
    if (problem !== undefined) refuse(problem);
    for (const id of idsOf(operation.id)) {
      if (ids.has(id)) refuse(`needs another id, because another part of the stack is called ${id}`);
      ids.add(id);
    }
    // Routes that differ only in the names of parameters match the same requests.
    const route = operation.route.replaceAll(/\{\w+\}/g, '{}');
    if (routes.has(route)) refuse(`needs another route, because another operation has "${operation.route}"`);
    routes.add(route);
  }
  return all;
};
