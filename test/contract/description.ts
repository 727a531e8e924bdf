import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { type ErrorObject } from 'ajv/dist/2020.js';
import { type DescribedResponse, type DescribedRoute, routesIn } from './openapi.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * A request (method, space, target) and its response. The body is JSON; undefined when it was not JSON.
 */
type Exchange = readonly [request: string, status: number, headers: Headers, body: unknown];

/** Headers that need no description: those of HTTP itself, and those that MiniStack and SAM add. */
const undescribedHeaders = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  ...['server', 'x-amzn-requestid'],
]);

/** Sorts a parameter after any text. */
const rank = (key: string): string => key.replaceAll('{', '\uffff');

/** The route that `npm start` finds: at the first difference, text has priority over a parameter. */
export const mostSpecific = <Route extends { readonly key: string }>(
  all: readonly Route[],
  request: string,
): Route | undefined =>
  all
    .filter(({ key }) => new RegExp(`^${key.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(request))
    .toSorted((one, other) => (rank(one.key) < rank(other.key) ? -1 : 1))[0];

/** An OpenAPI document that responses are compared with. */
interface Description {
  readonly routes: readonly DescribedRoute[];
  /** Whether it has a route for a request. */
  readonly isDescribed: (request: string) => boolean;
  /**
   * Lists the differences, except headers that no response has in the document, as a proxy may add some. The
   * texts contain no plant name, so they can be logged.
   */
  readonly undescribed: (...exchange: Exchange) => readonly string[];
  /** Fails unless status, content and all headers of a response are as described. */
  readonly expectDescribed: (...exchange: Exchange) => void;
  /** What is described and no expected response has had so far, such as `GET /plants 200 vary`. */
  readonly unobserved: () => readonly string[];
}

export const descriptionIn = (yaml: string): Description => {
  const routes = routesIn(yaml);
  const routeOf = (request: string) => mostSpecific(routes, request.replace(/\?.*/s, ''));
  const described = new Set(
    routes.flatMap(({ responses }) => [...responses.values()].flatMap(({ headers }) => [...headers.keys()])),
  );
  const observed = new Set<string>();

  const undescribed: Description['undescribed'] = (request, status, headers, body) => {
    // The gateway's own response to a request without a route is in each route.
    const documented = (routeOf(request) ?? routes[0])?.responses.get(String(status));
    if (documented === undefined) return [`expected a documented status; received ${String(status)}`];
    return [
      ...[...described].flatMap((name) => headerDifferences(documented, name, headers[name])),
      ...contentDifferences(documented, headers, body),
    ];
  };

  return {
    routes,
    undescribed,

    isDescribed: (request) => routeOf(request) !== undefined,

    expectDescribed: (...exchange) => {
      const [request, status, headers] = exchange;
      const names = Object.keys(headers).filter((name) => headers[name] !== undefined);
      const unknown = names.filter((name) => !described.has(name) && !undescribedHeaders.has(name));
      const differences = [...undescribed(...exchange), ...unknown.map((name) => `expected no ${name}`)];
      assert(
        differences.length === 0,
        `${differences.join('; ')}, in ${JSON.stringify(exchange).slice(0, 500)}`,
      );
      for (const { key } of [routeOf(request) ?? routes].flat())
        for (const part of ['', ...names, headers['content-type'] ?? ''])
          observed.add(`${key} ${String(status)} ${part}`.trimEnd());
    },

    unobserved: () =>
      routes.flatMap(({ key, responses }) =>
        [...responses].flatMap(([status, { headers, content }]) => {
          const response = `${key} ${status}`;
          if (!observed.has(response)) return response;
          const parts = [...headers.keys(), ...content.keys()].map((part) => `${response} ${part}`);
          return parts.filter((part) => !observed.has(part));
        }),
      ),
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
  const { name: written, required, schema } = described;
  if (value === undefined) return required ? [`expected ${written}; received none`] : [];
  if (schema.validate(value)) return [];
  return [`expected ${written} as ${JSON.stringify(schema.definition)}; received ${withoutCursor(value)}`];
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
  if (body === undefined) return ['expected a body in JSON; received another'];
  const { validate } = described.schema;
  return validate(body) ? [] : (validate.errors ?? []).map(violation);
};

const violation = ({ instancePath, message = 'be valid', params }: ErrorObject): string =>
  `expected a body as described; received one in which ${instancePath} ${message} ${JSON.stringify(params)}`;

/** Replaces cursors, because a cursor holds a plant's name. */
export const withoutCursor = (text: string): string => text.replaceAll(/cursor=[^&>]+/g, 'cursor=...');

const openapi = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');
export const { routes, undescribed, isDescribed, expectDescribed, unobserved } = descriptionIn(openapi);
