import type { Invoke } from '../lambda.ts';

/** A route of the API, with the function that responds. */
export interface Route {
  /** Method, space, path, such as `GET /plants/{name}`. */
  readonly key: string;
  readonly invoke: Invoke;
}

/** The route of a request, with the request's decoded path and the parameters in it. */
export interface Match {
  readonly route: Route;
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Finds the most specific route for a request.
 * AWS: "Create routes for HTTP APIs in API Gateway", section "Routing API requests".
 */
export const findRoute = (routes: readonly Route[], method: string, path: string): Match | undefined => {
  const decoded = decode(path);
  for (const route of routes.toSorted((one, other) => (rank(one.key) < rank(other.key) ? -1 : 1))) {
    const text = route.key.replaceAll(/[^\w/{}]/g, String.raw`\$&`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const pattern = new RegExp(`^${text}$`);
    // Percent-escapes are allowed in parameters only, without `%2F`: decoded, it would separate segments.
    const match = pattern.test(`${method} ${path}`) ? pattern.exec(`${method} ${decoded}`) : null;
    if (match !== null) return { route, path: decoded, pathParameters: { ...match.groups } };
  }
  return undefined;
};

/** Sorts a parameter after any text, so that a route with text at the first difference is tried first. */
const rank = (key: string): string => key.replaceAll('{', '\uffff');

/** Decodes percent-escapes. Returns '', which matches no route, if one is malformed. */
const decode = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
};
