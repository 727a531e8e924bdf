import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { gatewayResponse, type HttpResponse } from '../gateway/response.ts';
import { isCrossOrigin } from '../server/cross-origin.ts';
import { type SampleUser, sampleUsers } from '../issuer/sample-users.ts';

/** The files of the page by request path: the content type, and the specifier for `import.meta.resolve`. */
const files = new Map<string, readonly [type: string, specifier: string]>([
  ['/docs', ['text/html', './browser/index.html']],
  ['/docs/page.js', ['text/javascript', './browser/page.js']],
  ['/docs/page.css', ['text/css', './browser/page.css']],
  ['/docs/swagger-ui-bundle.js', ['text/javascript', 'swagger-ui-dist/swagger-ui-bundle.js']],
  ['/docs/swagger-ui.css', ['text/css', 'swagger-ui-dist/swagger-ui.css']],
  ['/docs/openapi.yaml', ['application/yaml', '../../openapi.yaml']],
]);

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
};

/** The message for a page of another origin, which may not read the tokens of this page. */
const crossOriginRefusal =
  'This page has tokens, so other origins may not read it. Open it at the address that npm start printed.';

/**
 * Responds with the API documentation at /docs; with undefined to any other path.
 * @param tokenOf signs the token behind the button of a user
 */
export const apiPage =
  (tokenOf: (user: SampleUser) => Promise<string>) =>
  async (message: IncomingMessage): Promise<HttpResponse | undefined> => {
    const entry = files.get(message.url?.replace(/\/?(\?.*)?$/, '') ?? '');
    if (entry === undefined) return undefined;
    if (isCrossOrigin(message.headers)) return gatewayResponse(403, crossOriginRefusal);
    const [type, specifier] = entry;
    const buttons = sampleUsers.map(
      async (user) =>
        `<button class="btn authorize" value="${await tokenOf(user)}">Use a token of ${user.name}</button>`,
    );
    const body = readFileSync(new URL(import.meta.resolve(specifier)), 'utf8')
      .replace('<!-- buttons -->', (await Promise.all(buttons)).join(' '))
      // `servers` in openapi.yaml has a placeholder for the address; the page needs this service's address.
      .replace(/^servers:\n(?: .*\n)+/m, `servers:\n  - url: http://${String(message.headers.host)}\n`);
    return { statusCode: 200, headers: { ...headers, 'content-type': `${type}; charset=utf-8` }, body };
  };
