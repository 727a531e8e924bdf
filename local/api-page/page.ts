import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import type { Exchange } from '../gateway/gateway.ts';
import { splitTarget } from '../gateway/event.ts';
import { description, type Files, pageFiles } from './files.ts';

/** Makes a token, for each user whom the page has a button for. */
export type Tokens = Readonly<Record<string, () => Promise<string>>>;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

const path = '/docs';

/** Puts the API documentation below /docs of a server; every other request goes where it went before. */
export const serveApiPage = (
  server: Server,
  tokens: Tokens,
  onExchange: (exchange: Exchange) => void = () => undefined,
): void => {
  const others = server.listeners('request');
  const answer = answerer(tokens);
  server.removeAllListeners('request').on('request', (request: IncomingMessage, response: ServerResponse) => {
    const target = splitTarget(request.url ?? '');
    if (target.path !== path && !target.path.startsWith(`${path}/`)) {
      for (const other of others) Reflect.apply(other, server, [request, response]);
      return;
    }
    const start = performance.now();
    answer(request, target.path.slice(path.length), new URLSearchParams(target.query)).then(
      ({ status, headers, body }) => {
        response.writeHead(status, { ...commonHeaders, ...headers }).end(body);
        onExchange({
          method: request.method ?? '',
          path: target.path,
          response: { statusCode: status, headers, body: Buffer.from(body) },
          milliseconds: performance.now() - start,
        });
      },
      (error: unknown) => {
        console.error(error);
        response.destroy();
      },
    );
  });
};

const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const answerer = (tokens: Tokens) => {
  const users = Object.keys(tokens);
  let files: Promise<Files> | undefined;
  return async (request: IncomingMessage, file: string, query: URLSearchParams): Promise<Answer> => {
    const { host = '', origin } = request.headers;
    // Another site may let its name point here, and its pages would be of our origin (DNS rebinding).
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return refusal(403, 'Open this page at 127.0.0.1.');
    const self = `http://${host}`;
    const isToken = file === '/token';
    if (request.method !== (isToken ? 'POST' : 'GET')) return refusal(405, 'There is no such method here.');
    if (isToken) {
      // Browsers say of which origin the page is that sends a POST.
      if (origin !== self)
        return refusal(403, 'Only the page itself may ask for a token: see npm run token.');
      const user = users.find((each) => each === query.get('user'));
      const token = await tokens[user ?? '']?.();
      return token === undefined
        ? refusal(404, `There are tokens of ${users.join(' and ')} only.`)
        : { status: 200, headers: textType, body: token };
    }
    if (file === '') return { status: 308, headers: { location: `${path}/` }, body: '' };
    const name = file === '/' ? 'index.html' : file.slice(1);
    const body = name === 'openapi.yaml' ? description(self) : (await (files ??= pageFiles(users))).get(name);
    if (body === undefined) return refusal(404, 'There is no such file.');
    return { status: 200, headers: { 'content-type': types[extname(name)] ?? 'text/plain' }, body };
  };
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.yaml': 'application/yaml',
};

const textType = { 'content-type': 'text/plain; charset=utf-8' };

const refusal = (status: number, body: string): Answer => ({ status, headers: textType, body });
