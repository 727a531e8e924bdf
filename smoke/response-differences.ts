import { readFileSync } from 'node:fs';
import { type ErrorObject } from 'ajv/dist/2020.js';
import { withoutCursor } from './link-header.ts';
import { type DescribedResponse, type DescribedRoute, routesIn } from './openapi.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** A request (method, space, target) and its response. The body is JSON; undefined when it was not JSON. */
export type Exchange = readonly [request: string, status: number, headers: Headers, body: unknown];

/** An OpenAPI document that responses are compared with. */
export interface Description {
  readonly routes: readonly DescribedRoute[];
  /** The names of all headers that a response has in the document, in lower case. */
  readonly headerNames: ReadonlySet<string>;
  /** The route of a request; undefined if the document has none. */
  readonly routeOf: (request: string) => DescribedRoute | undefined;
  /**
   * How a response differs from the document. Headers that no response has in the document are ignored,
   * because a proxy may add some. The differences contain no plant name, so they can be logged.
   */
  readonly responseDifferences: (...exchange: Exchange) => readonly string[];
}

/** The key by which routes are sorted, in which a parameter follows any literal text. */
const sortKeyOf = (key: string): string => key.replaceAll('{', '\uffff');

/** The route that the gateway chooses: where two routes differ first, text has priority over a parameter. */
export const mostSpecificRoute = <Route extends { readonly key: string }>(
  routes: readonly Route[],
  request: string,
): Route | undefined =>
  routes
    .filter(({ key }) => new RegExp(`^${key.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(request))
    .toSorted((one, other) => (sortKeyOf(one.key) < sortKeyOf(other.key) ? -1 : 1))[0];

export const descriptionIn = (yaml: string): Description => {
  const routes = routesIn(yaml);
  const headerNames = new Set(
    routes.flatMap(({ responses }) => [...responses.values()].flatMap(({ headers }) => [...headers.keys()])),
  );
  const routeOf: Description['routeOf'] = (request) =>
    mostSpecificRoute(routes, request.replace(/\?.*/s, ''));
  return {
    routes,
    headerNames,
    routeOf,
    responseDifferences: (request, status, headers, body) => {
      // The gateway's response to a request without a route is described in each route.
      const described = (routeOf(request) ?? routes[0])?.responses.get(String(status));
      if (described === undefined) return [`expected a documented status; received ${String(status)}`];
      return [
        ...[...headerNames].flatMap((name) => headerDifferences(described, name, headers[name])),
        ...contentDifferences(described, headers, body),
      ];
    },
  };
};

const headerDifferences = (
  { headers }: DescribedResponse,
  name: string,
  value: string | undefined,
): readonly string[] => {
  const described = headers.get(name);
  if (described === undefined)
    return value === undefined ? [] : [`expected no ${name} with this status; received one`];
  const { name: documentedName, required, schema } = described;
  if (value === undefined) return required ? [`expected ${documentedName}; received none`] : [];
  if (schema.validate(value)) return [];
  const definition = JSON.stringify(schema.definition);
  return [`expected ${documentedName} as ${definition}; received ${withoutCursor(value)}`];
};

const contentDifferences = (
  { content }: DescribedResponse,
  { 'content-type': type = 'none', 'content-length': length = '0' }: Headers,
  body: unknown,
): readonly string[] => {
  if (content.size === 0)
    return length === '0' && body === undefined ? [] : [`expected no content; received ${length} bytes`];
  const described = content.get(type);
  if (described === undefined)
    return [`expected Content-Type ${[...content.keys()].join(' or ')}; received ${type}`];
  if (!/[/+]json$/.test(type)) return [];
  if (body === undefined) return ['expected a body in JSON; received another body'];
  const { validate } = described.schema;
  return validate(body) ? [] : (validate.errors ?? []).map(violation);
};

const violation = ({ instancePath, message = 'be valid', params }: ErrorObject): string => {
  const part = instancePath === '' ? 'the top level' : instancePath;
  return `expected a body as described; received one in which ${part} ${message} ${JSON.stringify(params)}`;
};

/** The service's description, `openapi.yaml`. */
export const serviceDescription = descriptionIn(
  readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'),
);
