import { unescape } from 'node:querystring';
import type { Invoke } from '../lambda/invoke.ts';

/** A route of the API, with the function that responds. */
export interface Route {
  /** Method, space, path, such as `GET /plants/{name}`. */
  readonly key: string;
  readonly invoke: Invoke;
}

/** The route of a request, with the request's decoded path and the parameters in it. */
export interface Match extends Route {
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** Finds the route of a request; undefined if the API has none. */
export type FindRoute = (method: string, rawPath: string) => Match | undefined;

/**
 * Finds the most specific route that matches a request. AWS ("Create routes for HTTP APIs in API Gateway",
 * "Routing API requests") prefers a route without parameters, and does not document the order of two routes
 * with parameters. Here, such routes are compared segment by segment, and the first route that has text where
 * the other has a parameter wins. For `/plants/oak`, that is `GET /plants/{name}`, not `GET /{kind}/oak`.
 */
export const routeFinder = (routes: readonly Route[]): FindRoute => {
  const patterns = routes.map(patternOf).toSorted((one, other) => (one.rank < other.rank ? -1 : 1));
  return (method, rawPath) => {
    const rawSegments = rawPath.split('/');
    for (const pattern of patterns) {
      const pathParameters = pattern.method === method ? parametersOf(pattern, rawSegments) : undefined;
      // `unescape` decodes UTF-8, and keeps a malformed escape, such as `%zz`.
      if (pathParameters !== undefined) return { ...pattern.route, path: unescape(rawPath), pathParameters };
    }
    return undefined;
  };
};

interface Pattern {
  readonly route: Route;
  readonly method: string;
  readonly segments: readonly Segment[];
  /** A letter for each segment, `a` for text and `b` for a parameter, so that text sorts first. */
  readonly rank: string;
}

/** A segment of a route's path: a text, or the name of a parameter. */
type Segment = Readonly<{ text: string; parameter?: undefined } | { text?: undefined; parameter: string }>;

const patternOf = (route: Route): Pattern => {
  const [method = '', path = ''] = route.key.split(' ');
  const segments = path.split('/').map((segment): Segment => {
    const [, parameter] = /^\{(\w+)\}$/.exec(segment) ?? [];
    return parameter === undefined ? { text: segment } : { parameter };
  });
  const rank = segments.map(({ parameter }) => (parameter === undefined ? 'a' : 'b')).join('');
  return { route, method, segments, rank };
};

/** The decoded parameters of a path; undefined if the path does not match. */
const parametersOf = (
  { segments }: Pattern,
  rawSegments: readonly string[],
): Readonly<Record<string, string>> | undefined => {
  if (rawSegments.length !== segments.length) return undefined;
  const parameters: [name: string, value: string][] = [];
  for (const [index, { text, parameter }] of segments.entries()) {
    const raw = rawSegments[index] ?? '';
    if (parameter === undefined) {
      if (raw !== text) return undefined;
    } else {
      const value = unescape(raw);
      // A value with an encoded slash (`%2F`) does not match, because decoding would split the segment.
      if (value === '' || value.includes('/')) return undefined;
      parameters.push([parameter, value]);
    }
  }
  return Object.fromEntries(parameters);
};
