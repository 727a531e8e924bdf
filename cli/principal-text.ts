import { InvalidArgumentError } from 'commander';
import { isPrincipalName, maxPrincipalNameBytes, type Principal, principalOf } from '../table/principal.ts';

/** A principal as people write it: `user:NAME` or `group:NAME`. */
export const principalText = (principal: string): string => principal.replace('#', ':');

/** Parses a principal as people write it. */
export const parsePrincipal = (text: string): Principal => {
  const [, kind, name] = /^(user|group):(.+)$/s.exec(text) ?? [];
  if ((kind === 'user' || kind === 'group') && isPrincipalName(name)) return principalOf(kind, name);
  throw new InvalidArgumentError(
    `Write user:NAME or group:NAME, with a name of 1 to ${String(maxPrincipalNameBytes)} bytes.`,
  );
};

export const parsePrincipalOrEveryone = (text: string): Principal | 'everyone' =>
  text === 'everyone' ? text : parsePrincipal(text);
