import { count } from '../cli/terminal/count.ts';
import { printable, styled } from '../cli/terminal/style.ts';
import type { Exchange } from './gateway/gateway.ts';

/** Shorter than a token's signature, so that a token put into the path by mistake is not logged in full. */
const maxPathLength = 80;

/**
 * The access log's line: method, path, status, size of the body, milliseconds, and whether the
 * authorizer's result was cached. Without the query string, because a cursor holds a plant's name.
 */
export const accessLogLine = ({ request: { method, path }, response, milliseconds }: Exchange): string =>
  [
    `${method} ${printable(path.slice(0, maxPathLength))} ${styledStatus(response.statusCode)}`,
    count(response.body.length, 'byte'),
    `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`,
    response.authorizer && `authorizer ${response.authorizer}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');

const styledStatus = (status: number): string =>
  styled(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status));
