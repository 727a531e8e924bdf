import type { HttpEvent } from './payload-format.ts';

/**
 * The last segment of the request's path, percent-encoded, with which a relative URL of a response starts. A
 * client by RFC 2396, such as java.net.URI, drops this segment when it resolves a query alone. Any client
 * drops it when it resolves a path.
 */
export const lastSegment = ({ rawPath = '/plants' }: HttpEvent): string =>
  // The gateway has decoded the path.
  encodeURIComponent(rawPath.replace(/.*\//s, ''));
