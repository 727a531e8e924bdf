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

/**
 * The most specific route (AWS: "Create routes for HTTP APIs in API Gateway", "Routing API requests").
 * AWS does not document which of two routes with parameters that is.
 */
export const findRoute = (routes: readonly Route[], method: string, rawPath: string): Match | undefined => {
  // Leaves a malformed escape, such as `%zz`, as it is.
  const path = unescape(rawPath);
  const matches = routes.flatMap((route) => {
    const text = RegExp.escape(route.key).replaceAll(/\\\{(\w+)\\\}/g, '(?<$1>[^/]+)');
    const pattern = new RegExp(`^${text}$`);
    // Percent-escapes are allowed in parameters only, without `%2F`: decoded, it would separate segments.
    const match = pattern.test(`${method} ${rawPath}`) ? pattern.exec(`${method} ${path}`) : null;
    return match === null ? [] : { ...route, path, pathParameters: { ...match.groups } };
  });
  // Sorts a parameter after any text: the most specific route has text at the first difference.
  const rank = ({ key }: Route): string => key.replaceAll('{', '\uffff');
  return matches.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))[0];
};
