import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { transform } from 'esbuild';
import type { HttpRequest } from '../gateway/event.ts';
import type { HttpResponse } from '../gateway/response.ts';
import { projectFolder } from '../../infra/bundle.ts';

/** Creates a token for each user with a button on the page. */
export type Tokens = Readonly<Record<string, () => string | Promise<string>>>;

const rendererFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The API documentation below /docs; undefined for any other path. */
export const apiPage = (tokens: Tokens): ((request: HttpRequest) => Promise<HttpResponse | undefined>) => {
  const users = Object.keys(tokens);
  const contentOf = async (name: string, self: string): Promise<string | Uint8Array | undefined> => {
    switch (name) {
      case 'index.html':
        return textOf(name).replace('<!-- buttons -->', users.map(buttonOf).join(' '));
      case 'page.js':
        return (await transform(textOf('page.ts'), { loader: 'ts' })).code;
      case 'page.css':
        return textOf(name);
      case 'swagger-ui-bundle.js':
      case 'swagger-ui.css':
        return readFileSync(join(rendererFolder, name));
      case 'openapi.yaml':
        return description(self);
      default:
        return undefined;
    }
  };

  return async ({ path, method, query, headers: { host = '', origin } }) => {
    const [, file] = /^\/docs($|\/.*)/.exec(path) ?? [];
    if (file === undefined) return undefined;
    // Another site can resolve its name to this address, and its pages then share our origin (DNS rebinding).
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return text(403, 'Open this page at 127.0.0.1.');
    const self = `http://${host}`;
    if (method !== (file === '/token' ? 'POST' : 'GET')) return text(405, 'This method is not allowed here.');
    if (file === '/token') {
      // Browsers name the origin of the page that sends a POST.
      if (origin !== self)
        return text(403, 'Only the page itself can request a token. Use npm run token instead.');
      const user = users.find((each) => each === new URLSearchParams(query).get('user')) ?? '';
      const token = await tokens[user]?.();
      return token === undefined ? text(404, 'This user has no button on the page.') : text(200, token);
    }
    if (file === '') return response(308, '.txt', '', { location: '/docs/' });
    const name = file === '/' ? 'index.html' : file.slice(1);
    const content = await contentOf(name, self);
    return content === undefined
      ? text(404, 'This file does not exist.')
      : response(200, extname(name), content);
  };
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.yaml': 'application/yaml',
  '.txt': 'text/plain',
};

const response = (
  statusCode: number,
  ending: string,
  content: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  statusCode,
  headers: {
    'content-type': `${types[ending] ?? ''}; charset=utf-8`,
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

const text = (statusCode: number, content: string): HttpResponse => response(statusCode, '.txt', content);

/** The interface description with this service's address in place of the variable `base_url`. */
const description = async (self: string): Promise<string> => {
  // Loaded when needed: a start does not wait for it.
  const { parseDocument } = await import('yaml');
  const document = parseDocument(readFileSync(join(projectFolder, 'openapi.yaml'), 'utf8'));
  document.set('servers', [{ url: self }]);
  return document.toString();
};

const textOf = (name: string): string => readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8');

const buttonOf = (user: string): string =>
  `<button class="btn authorize" value="${user}">Use a token of ${user}</button>`;
