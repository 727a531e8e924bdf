import { extname } from 'node:path';
import { type HttpRequest, joined, splitTarget } from '../gateway/event.ts';
import type { Pages } from '../gateway/gateway.ts';
import type { HttpResponse } from '../gateway/response.ts';
import { description, type Files, pageFiles } from './files.ts';

/** Creates a token for each user with a button on the page. */
export type Tokens = Readonly<Record<string, () => Promise<string>>>;

const path = '/docs';

/** The API documentation below /docs. */
export const apiPage = (tokens: Tokens): Pages => {
  const users = Object.keys(tokens);
  let files: Promise<Files> | undefined;

  const respond = async (
    { method, headers }: HttpRequest,
    file: string,
    query: URLSearchParams,
  ): Promise<HttpResponse> => {
    const host = joined(headers['host']);
    // Another site can resolve its name to this address, and its pages then share our origin (DNS rebinding).
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return refusal(403, 'Open this page at 127.0.0.1.');
    const self = `http://${host}`;
    const isToken = file === '/token';
    if (method !== (isToken ? 'POST' : 'GET')) return refusal(405, 'This method is not allowed here.');
    if (isToken) {
      // Browsers name the origin of the page that sends a POST.
      if (joined(headers['origin']) !== self)
        return refusal(403, 'Only the page itself can request a token. Use npm run token instead.');
      const user = users.find((each) => each === query.get('user'));
      const token = await tokens[user ?? '']?.();
      return token === undefined
        ? refusal(404, `There are tokens for ${users.join(' and ')} only.`)
        : response(200, textType, token);
    }
    if (file === '') return response(308, { location: `${path}/` }, '');
    const name = file === '/' ? 'index.html' : file.slice(1);
    const body = name === 'openapi.yaml' ? description(self) : (await (files ??= pageFiles(users))).get(name);
    if (body === undefined) return refusal(404, 'This file does not exist.');
    return response(200, { 'content-type': types[extname(name)] ?? 'text/plain' }, body);
  };

  return (request) => {
    const target = splitTarget(request.target);
    if (target.path !== path && !target.path.startsWith(`${path}/`)) return undefined;
    return respond(request, target.path.slice(path.length), new URLSearchParams(target.query));
  };
};

const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.yaml': 'application/yaml',
};

const textType = { 'content-type': 'text/plain; charset=utf-8' };

const response = (
  statusCode: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): HttpResponse => ({ statusCode, headers: { ...commonHeaders, ...headers }, body: Buffer.from(body) });

const refusal = (statusCode: number, message: string): HttpResponse =>
  response(statusCode, textType, message);
