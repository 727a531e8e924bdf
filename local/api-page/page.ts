import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { transform } from 'esbuild';
import type { HttpRequest } from '../gateway/event.ts';
import type { Outcome } from '../gateway/api-responder.ts';
import type { HttpResponse } from '../gateway/response.ts';
import { projectFolder } from '../../infra/bundle.ts';

/** Creates a token for each user with a button on the page. */
export type Tokens = Readonly<Record<string, () => string | Promise<string>>>;

const rendererFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The API documentation below /docs; undefined for any other path. */
export const apiPage = (tokens: Tokens): ((request: HttpRequest) => Promise<Outcome | undefined>) => {
  const users = Object.keys(tokens);
  const contentOf = async (name: string, self: string): Promise<string | Uint8Array | undefined> => {
    switch (name) {
      case 'index.html':
        return textOf('index.html').replace('<!-- buttons -->', users.map(buttonOf).join(' '));
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

  const respond = async (request: HttpRequest, file: string): Promise<HttpResponse> => {
    const { method, query, headers } = request;
    const { host = '', origin } = headers;
    // Another site can resolve its name to this address, and its pages then share our origin (DNS rebinding).
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return refusal(403, 'Open this page at 127.0.0.1.');
    const self = `http://${host}`;
    const isToken = file === '/token';
    if (method !== (isToken ? 'POST' : 'GET')) return refusal(405, 'This method is not allowed here.');
    if (isToken) {
      // Browsers name the origin of the page that sends a POST.
      if (origin !== self)
        return refusal(403, 'Only the page itself can request a token. Use npm run token instead.');
      const user = users.find((each) => each === new URLSearchParams(query).get('user')) ?? '';
      const token = await tokens[user]?.();
      if (token === undefined) return refusal(404, `There are tokens for ${users.join(' and ')} only.`);
      return response(200, '.txt', token);
    }
    if (file === '') {
      const { headers: common, ...redirect } = response(308, '.txt', '');
      return { ...redirect, headers: { ...common, location: '/docs/' } };
    }
    const name = file === '/' ? 'index.html' : file.slice(1);
    const content = await contentOf(name, self);
    return content === undefined
      ? refusal(404, 'This file does not exist.')
      : response(200, extname(name), content);
  };

  return async (request) => {
    const [, file] = /^\/docs($|\/.*)/.exec(request.path) ?? [];
    return file === undefined ? undefined : { response: await respond(request, file) };
  };
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.yaml': 'application/yaml',
  '.txt': 'text/plain',
};

const response = (statusCode: number, ending: string, content: string | Uint8Array): HttpResponse => ({
  statusCode,
  headers: {
    'content-type': `${types[ending] ?? ''}; charset=utf-8`,
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  body: Buffer.from(content),
});

const refusal = (statusCode: number, message: string): HttpResponse => response(statusCode, '.txt', message);

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
