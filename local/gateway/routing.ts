import type { Route } from '../stack/stack.ts';

export interface Match {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Finds the route for a request: the most specific path first, an exact method before `ANY`, `$default` last
 * (AWS: "Create routes for HTTP APIs in API Gateway").
 */
export const matchRoute = (routes: readonly Route[], method: string, path: string): Match | undefined => {
  const matches = routes.flatMap((route) => {
    const pathParameters = matchKey(route.key, method, path);
    return pathParameters === undefined ? [] : [{ route, pathParameters }];
  });
  return matches.sort((a, b) => vagueness(a.route.key) - vagueness(b.route.key))[0];
};

const matchKey = (key: string, method: string, path: string): Record<string, string> | undefined => {
  if (key === '$default') return {};
  const [keyMethod = '', keyPath = ''] = key.split(' ');
  if (keyMethod !== 'ANY' && keyMethod !== method) return undefined;
  const pattern = keyPath
    .split(/(\{[^}]+\})/)
    .map((part) => {
      const name = /^\{([^}]+?)(\+?)\}$/.exec(part);
      if (name === null) return RegExp.escape(part);
      return `(?<${name[1] ?? ''}>${name[2] === '+' ? '.+' : '[^/]+'})`;
    })
    .join('');
  const found = new RegExp(`^${pattern}$`).exec(path);
  return found === null ? undefined : { ...found.groups };
};

const vagueness = (key: string): number => {
  if (key === '$default') return Infinity;
  const greedy = key.includes('+}') ? 1000 : 0;
  return greedy + 10 * (key.split('{').length - 1) + (key.startsWith('ANY ') ? 1 : 0);
};
