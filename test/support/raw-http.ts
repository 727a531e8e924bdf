import { connect } from 'node:net';
import { z } from 'zod';

/** An answer as it came over the wire. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's JSON; undefined for an answer to HEAD. */
  readonly body: unknown;
}

/** How long nothing may come before a connection counts as hanging, in milliseconds. */
const patience = 10_000;

/**
 * Sends bytes on a connection of their own, and reads until the server closes it.
 * @param text one character per byte
 * @param leave closes the sending side right away, as a client that gives up does
 */
export const exchange = (baseUrl: string, text: string, leave = false): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = '';
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname)
      .setEncoding('latin1')
      .setTimeout(patience, () => socket.destroy(new Error('The connection hangs.')))
      .on('data', (chunk) => {
        received += chunk.toString();
      })
      .once('error', reject)
      .once('close', () => {
        resolve(received);
      });
    socket.write(text, 'latin1');
    if (leave) socket.end();
  });

/**
 * Splits what came on a connection into its final answers.
 * @param methods of the requests, for an answer to HEAD has no body
 * @throws {Error} when something else than whole answers came
 */
export const parseResponses = (received: string, methods: readonly string[] = []): readonly RawResponse[] => {
  const answers: RawResponse[] = [];
  let rest = received;
  while (rest !== '') {
    const [head = '', status, lines = ''] =
      /^HTTP\/1\.1 ([1-5]\d\d) [ -~]*\r\n((?:[\w-]+: [ -~]*\r\n)*)\r\n/.exec(rest) ?? [];
    if (status === undefined) throw new Error(`This is not an HTTP answer: ${rest.slice(0, 200)}`);
    rest = rest.slice(head.length);
    if (status.startsWith('1')) continue;
    const headers = Object.fromEntries(
      [...lines.matchAll(/([\w-]+): (.*)\r\n/g)].map(([, name = '', value = '']) => [
        name.toLowerCase(),
        value,
      ]),
    );
    // Only an answer to HEAD that could not be read has a body.
    const isBare = methods[answers.length] === 'HEAD' && !rest.startsWith('{');
    const length = isBare ? 0 : z.coerce.number().parse(headers['content-length']);
    const body = Buffer.from(rest.slice(0, length), 'latin1').toString('utf8');
    rest = rest.slice(length);
    answers.push({ status: Number(status), headers, body: length === 0 ? undefined : JSON.parse(body) });
  }
  return answers;
};
