import { Denied } from './denied.ts';

const maxHeaderBytes = 8192;
const bearerCredentials = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * Reads the token from an Authorization header (RFC 6750 section 2.1). The scheme is case-insensitive (RFC 9110 section 11.1).
 * @throws {Denied} unless the header is one bearer credential of at most 8,192 bytes
 */
export const bearerToken = (header: string): string => {
  const token = header.length <= maxHeaderBytes ? bearerCredentials.exec(header)?.[1] : undefined;
  if (token === undefined) throw new Denied('not-a-bearer-token');
  return token;
};
