import type { DenialReason } from '../../functions/shared/log-events.ts';
import type { Issuer, TokenChanges } from '../support/issuer.ts';
import { partsOf } from '../support/tokens.ts';

/** The authorizer's decision, or that the gateway does not invoke it (`no-identity`) or it throws (`undecided`). */
export type Expected = 'allowed' | 'no-identity' | 'undecided' | DenialReason;

/** The issuer's JWKS: fetched, unreachable without a copy in the cache, or unreachable with a copy of this age. */
export type JwksState = 'fetched' | 'unreachable' | 'copy of 59 minutes' | 'copy of an hour';

/** An Authorization header with the expected decision. */
export interface Entry {
  readonly name: string;
  readonly expected: Expected;
  /** The header's value; a list for a repeated header, undefined for no header. */
  readonly authorization: (issuer: Issuer) => string | string[] | undefined;
  /** Whether the contract also sends it through each gateway. */
  readonly sent: boolean;
  readonly jwks: JwksState;
}

const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

export type MakeToken = (issuer: Issuer) => string;

/** Entries by name. */
export const headers = (
  expected: Expected,
  values: Readonly<Record<string, Entry['authorization']>>,
): readonly Entry[] =>
  Object.entries(values).map(([name, authorization]) => ({
    name,
    expected,
    authorization,
    sent: false,
    jwks: 'fetched',
  }));

/** Entries with these tokens in a well-formed header. */
export const tokens = (expected: Expected, values: Readonly<Record<string, MakeToken>>): readonly Entry[] =>
  headers(
    expected,
    mapValues(values, (make) => (issuer) => `Bearer ${make(issuer)}`),
  );

/** Entries with tokens that are valid but for these changes. */
export const changed = (
  expected: Expected,
  values: Readonly<Record<string, TokenChanges | ((issuer: Issuer) => TokenChanges)>>,
): readonly Entry[] =>
  tokens(
    expected,
    mapValues(
      values,
      (changes) => (issuer) => issuer.token(typeof changes === 'function' ? changes(issuer) : changes),
    ),
  );

/** A member's value, or a function that makes it for an issuer. */
type Value =
  | (string | number | boolean | null | undefined | readonly unknown[] | Readonly<Record<string, unknown>>)
  | ((issuer: Issuer) => unknown);

const memberOf =
  (part: 'header' | 'claims') =>
  (expected: Expected, member: string, values: Readonly<Record<string, Value>>): readonly Entry[] =>
    changed(
      expected,
      mapValues(values, (value) => (issuer): TokenChanges => ({
        [part]: { [member]: typeof value === 'function' ? value(issuer) : value },
      })),
    );

/** Entries with tokens that are valid but for this claim. */
export const claimed = memberOf('claims');

/** Entries with tokens that are valid but for this header parameter. */
export const headed = memberOf('header');

/** The same entries, also sent through each gateway. */
export const sent = (entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => ({ ...entry, sent: true }));

/** The same entries, with the JWKS in another state. */
export const whileJwksIs = (jwks: JwksState, entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => ({ ...entry, name: `${entry.name}, JWKS: ${jwks}`, jwks }));

/** A valid token with its parts changed after signing. */
export const altered =
  (alter: (header: string, payload: string, signature: string) => string): MakeToken =>
  ({ token }) =>
    alter(...partsOf(token()));

/** The time in seconds since 1970, as in tokens. */
export const now = (): number => Math.floor(Date.now() / 1000);
