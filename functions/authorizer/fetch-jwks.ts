import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';

/**
 * In milliseconds. A fetch that was frozen can take 1 s more after the thaw (`timeoutSignal`), and a new
 * fetch takes up to 2 s. So a decision waits for at most 1 + 2 = 3 s of the authorizer's timeout of 5 s.
 */
export const fetchDeadline = 2000;
const maxCharacters = 512 * 1024;
/** Matches a Content-Encoding with a coding that compresses (RFC 9110 section 8.4.1). */
const compression = /\b(?:br|compress|deflate|gzip|zstd)\b/i;
const headers = {
  accept: 'application/json',
  // Without this field, a server may compress the key set.
  'accept-encoding': 'identity',
  // AWS WAF's core rule set blocks requests without this field.
  'user-agent': 'plant-store',
};

/** An error of a fetch of the key set. Only its code is logged, so the log holds no data of the response. */
export const jwksError = (code: string): Error => Object.assign(new Error(code), { code });

/**
 * Fetches the text of an issuer's key set, without a byte order mark. It avoids `fetch`, which adds 20 ms
 * to a cold start.
 * @param deadline milliseconds until the whole body must have arrived
 * @throws {Error} for any status but 200; redirects are not followed
 */
export const fetchJwks = async (uri: string, deadline = fetchDeadline): Promise<string> => {
  const get = uri.startsWith('https:') ? getHttps : getHttp;
  const signal = timeoutSignal(deadline);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // No keep-alive, because the issuer may close the connection before the next fetch, minutes later.
    get(uri, { headers, agent: false, signal }, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) response.destroy(jwksError(`Status${String(response.statusCode)}`));
  else if (compression.test(response.headers['content-encoding'] ?? ''))
    response.destroy(jwksError('ContentEncoding'));
  const body: AsyncIterable<string> = response.setEncoding('utf8');
  let text = '';
  for await (const part of body) {
    text += part;
    // Leaving the loop closes the connection.
    if (text.length > maxCharacters) throw jwksError('TooLarge');
  }
  return text.replace(/^\ufeff/, '');
};

/**
 * A signal that aborts after this time. Two timers of half the time follow each other, because Lambda can
 * freeze the environment between requests. After a freeze, a single timer would abort at once, but the second
 * of two timers leaves time to read a response that arrived during the freeze.
 */
const timeoutSignal = (milliseconds: number): AbortSignal => {
  const timeout = new AbortController();
  const abort = (): void => {
    timeout.abort();
  };
  setTimeout(() => setTimeout(abort, milliseconds / 2).unref(), milliseconds / 2).unref();
  return timeout.signal;
};
