import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { gatewayResponse, type HttpResponse } from '../gateway/response.ts';
import { isCrossOrigin } from '../server/cross-origin.ts';
import { type SampleUser, sampleUsers } from '../issuer/sample-users.ts';

/** By path: the content type, and the file that `import.meta.resolve` finds. */
const files = new Map<string, readonly [type: string, file: string]>([
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

/**
 * Responds with the API documentation at /docs; with undefined to any other path.
 * @param tokenOf signs a token of a user, who has a button on the page
 */
export const apiPage =
  (tokenOf: (user: SampleUser) => Promise<string>) =>
  async (message: IncomingMessage): Promise<HttpResponse | undefined> => {
    const entry = files.get(message.url?.replace(/\/?(\?.*)?$/, '') ?? '');
    if (entry === undefined) return undefined;
    // The page has tokens, which no page of another origin may read.
    if (isCrossOrigin(message.headers)) return gatewayResponse(403, 'Open this page at 127.0.0.1.');
    const [type, file] = entry;
    const buttons = sampleUsers.map(
      async (user) =>
        `<button class="btn authorize" value="${await tokenOf(user)}">Use a token of ${user.name}</button>`,
    );
    const body = readFileSync(new URL(import.meta.resolve(file)), 'utf8')
      .replace('<!-- buttons -->', (await Promise.all(buttons)).join(' '))
      // This service's address in place of the variable `base_url`.
      .replace(/^servers:\n(?: .*\n)+/m, `servers:\n  - url: http://${String(message.headers.host)}\n`);
    return { statusCode: 200, headers: { ...headers, 'content-type': `${type}; charset=utf-8` }, body };
  };
