import { isPrincipalName } from '../../table/principal.ts';

/** The data about the caller that the authorizer passes to the list function. */
export interface CallerContext {
  /** The user. */
  readonly subject: string;
  readonly groups: readonly string[];
  /** When the caller's token expires, in seconds since 1970. */
  readonly expiresAt: number;
}

const maxGroups = 100;

/** Whether a value is a list of at most 100 group names. */
export const isGroupList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= maxGroups && value.every(isPrincipalName);

/** Whether a value is a complete context, whichever gateway passed it on. */
export const isCallerContext = (value: unknown): value is CallerContext =>
  typeof value === 'object' &&
  value !== null &&
  'subject' in value &&
  isPrincipalName(value.subject) &&
  'groups' in value &&
  isGroupList(value.groups) &&
  'expiresAt' in value &&
  Number.isFinite(value.expiresAt);
