import { InvalidArgumentError } from 'commander';
import { isPrincipalName, maxPrincipalNameBytes, type Principal, principalOf } from '../table/principal.ts';

/** A partition as people write it: `user:NAME` or `group:NAME`. */
export const principalText = (partition: string): string => partition.replace('#', ':');

/**
 * Parses `user:NAME` or `group:NAME`.
 * @throws {InvalidArgumentError} for anything else
 */
export const parsePrincipal = (text: string): Principal => {
  const [, kind, name] = /^(user|group):(.+)$/s.exec(text) ?? [];
  if ((kind !== 'user' && kind !== 'group') || !isPrincipalName(name))
    throw new InvalidArgumentError(
      `Write user:NAME or group:NAME, with a name of 1 to ${String(maxPrincipalNameBytes)} bytes.`,
    );
  return principalOf(kind, name);
};
