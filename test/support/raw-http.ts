import { connect } from 'node:net';
import { z } from 'zod';

/** A response as received. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's JSON; undefined for a response without a body. */
  readonly body: unknown;
}

const idleTimeoutMs = 10_000;

/**
 * Sends bytes on a new connection, and reads until the server closes it.
 * @param text one character per byte
 * @param halfClose ends the client's side immediately, as a client that gives up does
 */
export const sendRaw = (baseUrl: string, text: string, halfClose = false): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = '';
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname)
      .setEncoding('latin1')
      .setTimeout(idleTimeoutMs, () => socket.destroy(new Error('The server does not respond.')))
      .on('data', (chunk) => {
        received += chunk.toString();
      })
      .once('error', reject)
      .once('close', () => {
        resolve(received);
      });
    socket.write(text, 'latin1');
    if (halfClose) socket.end();
  });

/**
 * Splits the data received on a connection into its final responses.
 * @param methods the requests' methods: a response to HEAD has no body
 * @throws {Error} when the data is not a sequence of complete responses
 */
export const parseResponses = (received: string, methods: readonly string[] = []): readonly RawResponse[] => {
  const responses: RawResponse[] = [];
  let rest = received;
  while (rest !== '') {
    const [head = '', status, lines = ''] =
      /^HTTP\/1\.1 ([1-5]\d\d) [ -~]*\r\n((?:[\w-]+: [ -~]*\r\n)*)\r\n/.exec(rest) ?? [];
    if (status === undefined) throw new Error(`This is not an HTTP response: ${rest.slice(0, 200)}`);
    rest = rest.slice(head.length);
    if (status.startsWith('1')) continue;
    const headers = Object.fromEntries(
      [...lines.matchAll(/([\w-]+): (.*)\r\n/g)].map(([, name = '', value = '']) => [
        name.toLowerCase(),
        value,
      ]),
    );
    // Node's own refusals have no body: some no length either, some an empty chunked body.
    if (headers['transfer-encoding'] === 'chunked') rest = rest.replace(/^0\r\n\r\n/, '');
    const isBare = methods[responses.length] === 'HEAD';
    const length = isBare ? 0 : z.coerce.number().parse(headers['content-length'] ?? 0);
    const body = Buffer.from(rest.slice(0, length), 'latin1').toString('utf8');
    rest = rest.slice(length);
    responses.push({ status: Number(status), headers, body: length === 0 ? undefined : JSON.parse(body) });
  }
  return responses;
};
