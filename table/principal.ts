import { fits } from './text-size.ts';

/** The longest name of a user or a group, in bytes of UTF-8. */
export const maxPrincipalNameBytes = 255;

const prefixes = ['user#', 'group#'] as const;

/** The table's partition key: a user or a group. The partition holds the plants that it has access to. */
export type Principal = `${(typeof prefixes)[number]}${string}`;

/** Whether a partition key is that of a user or a group. No other partition holds plants. */
export const isPrincipal = (partitionKey: string): partitionKey is Principal =>
  prefixes.some((prefix) => partitionKey.startsWith(prefix));

/** The partition key of a user or a group. */
export const principalOf = (kind: 'user' | 'group', name: string): Principal => `${kind}#${name}`;

/** A partition key that is never written; used for warm-up. */
export const dummyPrincipal = 'nobody';

/** Whether a value can name a user or a group: 1 to 255 bytes of UTF-8. */
export const isPrincipalName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  // A lone surrogate has no UTF-8 form, so two such names could become one key of the table.
  value.isWellFormed() &&
  fits(value, maxPrincipalNameBytes);
