/** What the authorizer tells the functions behind it about the caller, and nothing else. */
export interface CallerContext {
  /** The user. */
  readonly subject: string;
  readonly groups: readonly string[];
  /** When the caller's token runs out, in seconds since 1970. */
  readonly expiresAt: number;
}

const maxNameBytes = 255;
const maxGroups = 100;

/** Whether a value can name a user or a group: 1 to 255 bytes of UTF-8. */
export const isCallerName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value !== '' &&
  // A lone surrogate has no UTF-8 form: two such names could become one key of the table.
  value.isWellFormed() &&
  Buffer.byteLength(value) <= maxNameBytes;

/** Whether a value is a list of at most 100 group names. */
export const isGroupList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= maxGroups && value.every(isCallerName);

/** Whether a value, from whatever gateway, is a complete context. */
export const isCallerContext = (value: unknown): value is CallerContext =>
  typeof value === 'object' &&
  value !== null &&
  'subject' in value &&
  isCallerName(value.subject) &&
  'groups' in value &&
  isGroupList(value.groups) &&
  'expiresAt' in value &&
  Number.isFinite(value.expiresAt);
