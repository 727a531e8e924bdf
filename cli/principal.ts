import { InvalidArgumentError } from 'commander';

const maxBytes = 255;

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
