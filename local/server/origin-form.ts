import type { IncomingMessage } from 'node:http';

/**
 * Rewrites a request with a target in absolute form (`GET http://127.0.0.1:3000/plants`), which every server
 * must accept, to the usual origin form. The target's host replaces the header Host (RFC 9112 section 3.2.2).
 */
export const useOriginForm = (message: IncomingMessage): void => {
  const [, host, target] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(message.url ?? '') ?? [];
  if (host === undefined || target === undefined) return;
  message.url = target.startsWith('/') ? target : `/${target}`;
  message.headers.host = host;
  message.headersDistinct['host'] = [host];
};
