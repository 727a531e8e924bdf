import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { projectFolder } from '../../infra/bundle.ts';
import type { HttpRequest } from '../gateway/event.ts';
import type { HttpResponse } from '../gateway/response.ts';
import { isOwnHost } from '../listen.ts';

/**
 * The API documentation below /docs; undefined for any other path.
 * @param tokens creates a token for each user with a button on the page
 */
export const apiPage = (tokens: ReadonlyMap<string, () => Promise<string>>) => {
  const files = new Map<string, (host: string) => HttpResponse | Promise<HttpResponse>>([
    ['/docs', () => response(308, 'text/plain', '', { location: '/docs/' })],
    ['/docs/', () => response(200, 'text/html', indexFor(tokens.keys()))],
    ['/docs/page.js', async () => response(200, 'text/javascript', await compiled('page.ts'))],
    ['/docs/page.css', () => response(200, 'text/css', own('page.css'))],
    ['/docs/swagger-ui-bundle.js', () => response(200, 'text/javascript', renderer('swagger-ui-bundle.js'))],
    ['/docs/swagger-ui.css', () => response(200, 'text/css', renderer('swagger-ui.css'))],
    ['/docs/openapi.yaml', (host) => response(200, 'application/yaml', descriptionFor(host))],
  ]);
  return async ({ path, method, query, headers }: HttpRequest): Promise<HttpResponse | undefined> => {
    const { host = '', origin } = headers;
    if (!/^\/docs($|\/)/.test(path)) return undefined;
    // DNS rebinding: a site whose name resolves to this address has the same origin as this page.
    if (!isOwnHost(host)) return text(403, 'Open this page at 127.0.0.1.');
    const isToken = path === '/docs/token';
    if (method !== (isToken ? 'POST' : 'GET')) return text(405, 'This method is not allowed here.');
    if (!isToken) return files.get(path)?.(host) ?? text(404, 'This file does not exist.');
    // Browsers send the origin of the page with each POST.
    if (origin !== `http://${host}`)
      return text(403, 'Only the page itself can request a token. Use npm run token instead.');
    const token = await tokens.get(new URLSearchParams(query).get('user') ?? '')?.();
    return token === undefined ? text(404, 'This user has no button on the page.') : text(200, token);
  };
};

const response = (
  statusCode: number,
  type: string,
  content: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  statusCode,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...headers,
  },
  body: Buffer.from(content),
});

const text = (statusCode: number, content: string): HttpResponse =>
  response(statusCode, 'text/plain', content);

const own = (name: string): string => readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8');

const compiled = async (name: string): Promise<string> => (await transform(own(name), { loader: 'ts' })).code;

const renderer = (name: string): Uint8Array =>
  readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));

const indexFor = (users: Iterable<string>): string => {
  const buttonOf = (user: string) =>
    `<button class="btn authorize" value="${user}">Use a token of ${user}</button>`;
  return own('index.html').replace('<!-- buttons -->', [...users].map(buttonOf).join(' '));
};

/** The OpenAPI description with this service's address in place of the variable `base_url`. */
const descriptionFor = (host: string): string =>
  readFileSync(join(projectFolder, 'openapi.yaml'), 'utf8').replace(
    /^servers:\n(?: .*\n)+/m,
    `servers:\n  - url: http://${host}\n`,
  );
