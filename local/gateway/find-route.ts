/**
 * Finds the most specific route of a request, with the path, decoded once, and the parameters in it.
 * AWS: "Create routes for HTTP APIs in API Gateway", section "Routing API requests".
 */
export const findRoute = <Route extends { readonly key: string }>(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; path: string; pathParameters: Record<string, string> } | undefined => {
  const decoded = decode(path);
  for (const route of routes.toSorted((one, other) => (rank(one.key) < rank(other.key) ? -1 : 1))) {
    const text = route.key.replaceAll(/[^\w/{}]/g, String.raw`\$&`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const pattern = new RegExp(`^${text}$`);
    // An encoded slash ends a parameter, but an escape in the rest of the path matches no route.
    const match = pattern.test(`${method} ${path}`) ? pattern.exec(`${method} ${decoded}`) : null;
    if (match !== null) return { route, path: decoded, pathParameters: { ...match.groups } };
  }
  return undefined;
};

/** Sorts a parameter after any text, so that the route that has text at the first difference comes first. */
const rank = (key: string): string => key.replaceAll('{', '\uffff');

/** Empty, which is no path, for malformed escapes. */
const decode = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
};
