import { InvalidArgumentError } from 'commander';

const maxBytes = 255;

/** A partition as people write it: `user:NAME` or `group:NAME`. */
export const principalText = (partition: string): string => partition.replace('#', ':');

/**
 * Reads `user:NAME` or `group:NAME` into the partition that holds the plants of that user or group.
 * @throws {InvalidArgumentError} on anything else
 */
export const parsePrincipal = (text: string): string => {
  const [, kind, name = ''] = /^(user|group):(.+)$/s.exec(text) ?? [];
  if (kind === undefined || Buffer.byteLength(name) > maxBytes)
    throw new InvalidArgumentError(
      `Write user:NAME or group:NAME, with a name of 1 to ${String(maxBytes)} bytes.`,
    );
  return `${kind}#${name}`;
};
