import { hash } from 'node:crypto';
import { isPrincipalName } from '../../table/principal.ts';
import { isJsonObject } from '../runtime/json-object.ts';

/** The caller's data that operations use. */
export interface Caller {
  /** The user. */
  readonly subject: string;
  readonly groups: readonly string[];
  /** When the caller's token expires, in seconds since 1970. */
  readonly expiresAt: number;
}

/** The data about the caller that the authorizer passes to the gateway, for operations and the access log. */
export interface CallerContext extends Caller {
  /** The caller's pseudonym in logs, which `callerIdOf` makes. */
  readonly callerId: string;
}

/** The pseudonym of a caller in logs: 16 hexadecimal digits. */
export const callerIdOf = (salt: string, issuer: string, subject: string): string =>
  hash('sha256', [salt, issuer, subject].join('\u0000')).slice(0, 16);

const maxGroups = 100;

/** Whether a value is a list of at most 100 group names. */
export const isGroupList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= maxGroups && value.every(isPrincipalName);

/**
 * Reads the context of any gateway, which may omit an empty list or write a number as decimal text.
 * @returns undefined if the subject or the expiry is missing, or if a value is malformed
 */
export const parseCaller = (context: unknown): Caller | undefined => {
  if (!isJsonObject(context)) return undefined;
  const { subject, groups, expiresAt } = context;
  const groupList = groups === undefined || groups === null || groups === '' ? [] : groups;
  const expiry = typeof expiresAt === 'string' && decimal.test(expiresAt) ? Number(expiresAt) : expiresAt;
  if (!isPrincipalName(subject) || !isGroupList(groupList)) return undefined;
  if (typeof expiry !== 'number' || !Number.isFinite(expiry)) return undefined;
  return { subject, groups: groupList, expiresAt: expiry };
};

const decimal = /^\d+(?:\.\d+)?$/;
