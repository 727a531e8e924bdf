import { hash } from 'node:crypto';

/** Names a caller in logs without saying who it is: 16 hexadecimal digits. */
export const callerIdOf = (salt: string, issuer: string, subject: string): string =>
  hash('sha256', [salt, issuer, subject].join('\u0000')).slice(0, 16);
