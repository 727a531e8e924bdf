import { Denied } from './denial.ts';

const maxHeaderBytes = 8192;
/** The scheme, case-insensitive (RFC 9110 section 11.1), then a token (`b64token`, RFC 6750 section 2.1). */
const bearerCredentials = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Reads the bearer token in an Authorization header.
 * @throws {Denied} unless the header is one bearer credential of at most 8,192 bytes
 */
export const bearerTokenIn = (header: string): string => {
  const token = header.length <= maxHeaderBytes ? bearerCredentials.exec(header)?.[1] : undefined;
  if (token === undefined) throw new Denied('not-a-bearer-token');
  return token;
};
