import { InvalidArgumentError } from 'commander';
import { isPrincipalName, maxPrincipalNameBytes, type Principal, principalOf } from '../table/principal.ts';
import { withoutControlCharacters } from '../terminal/style.ts';

/** A partition as people write it: `user:NAME` or `group:NAME`. */
export const principalText = (partition: string): string => partition.replace('#', ':');

/** The same in a message, where a name must not control the terminal. */
export const shownPrincipal = (partition: string): string =>
  withoutControlCharacters(principalText(partition));

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
