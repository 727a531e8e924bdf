import { readFileSync } from 'node:fs';
import type { RequestEvent } from '../gateway/event.ts';
import type { HttpResponse } from '../gateway/http-api.ts';
import { isOwnHost } from '../listen.ts';

const own = (name: string): string => readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8');
const renderer = (name: string): Buffer =>
  readFileSync(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));

/**
 * Responds with the API documentation below /docs; with undefined to any other path.
 * @param tokens creates a token for each user with a button on the page
 */
export const apiPage = (tokens: ReadonlyMap<string, () => string>) => {
  const buttons = (): string =>
    [...tokens]
      .map(
        ([user, token]) => `<button class="btn authorize" value="${token()}">Use a token of ${user}</button>`,
      )
      .join(' ');
  const files = new Map<string, readonly [type: string, read: (host: string) => string | Buffer]>([
    ['/docs/', ['text/html', () => own('index.html').replace('<!-- buttons -->', buttons())]],
    ['/docs/page.js', ['text/javascript', () => own('page.js')]],
    ['/docs/page.css', ['text/css', () => own('page.css')]],
    ['/docs/swagger-ui-bundle.js', ['text/javascript', () => renderer('swagger-ui-bundle.js')]],
    ['/docs/swagger-ui.css', ['text/css', () => renderer('swagger-ui.css')]],
    ['/docs/openapi.yaml', ['application/yaml', description]],
  ]);
  return ({ rawPath: path, headers, requestContext }: RequestEvent): HttpResponse | undefined => {
    const { host = '', origin } = headers;
    if (!/^\/docs($|\/)/.test(path)) return undefined;
    // The page has tokens. DNS rebinding: a site whose name resolves to this address has the page's origin.
    if (!isOwnHost(host) || (origin !== undefined && origin !== `http://${host}`))
      return response(403, 'text/plain', 'Open this page at 127.0.0.1.');
    if (path === '/docs') return response(308, 'text/plain', '', { location: '/docs/' });
    const [type, read] = (requestContext.http.method === 'GET' ? files.get(path) : undefined) ?? [];
    if (type === undefined || read === undefined)
      return response(404, 'text/plain', 'This file does not exist.');
    return response(200, type, read(host));
  };
};

const response = (statusCode: number, type: string, body: string | Buffer, headers = {}): HttpResponse => ({
  statusCode,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...headers,
  },
  body,
});

/** The OpenAPI description with this service's address in place of the variable `base_url`. */
const description = (host: string): string =>
  readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8').replace(
    /^servers:\n(?: .*\n)+/m,
    `servers:\n  - url: http://${host}\n`,
  );
