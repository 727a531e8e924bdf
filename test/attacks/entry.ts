import type { DenialReason } from '../../functions/authorizer/denied.ts';
import type { Issuer, TokenChanges } from '../support/issuer.ts';

/** What the authorizer says of a header, or that it is not asked (`no-identity`) or cannot tell (`undecided`). */
export type Expected = 'allowed' | 'no-identity' | 'undecided' | DenialReason;

/** How the issuer's key set stands: within reach, out of reach with nothing kept of it, or with a copy of this age. */
export type KeySetState = 'fetched' | 'out of reach' | 'copy of 59 minutes' | 'copy of an hour';

/** One Authorization header, and what is to come of it. */
export interface Entry {
  readonly name: string;
  readonly expected: Expected;
  /** The header's value; a list when it is sent more than once, undefined when it is not sent. */
  readonly authorization: (issuer: Issuer) => string | string[] | undefined;
  /** Whether it is also sent through each gateway. */
  readonly sent: boolean;
  readonly keySet: KeySetState;
}

export type MakeToken = (issuer: Issuer) => string;

/** Entries by their names. */
export const headers = (
  expected: Expected,
  values: Readonly<Record<string, Entry['authorization']>>,
): readonly Entry[] =>
  Object.entries(values).map(([name, authorization]) => ({
    name,
    expected,
    authorization,
    sent: false,
    keySet: 'fetched',
  }));

/** Entries whose header is as it should be, around these tokens. */
export const tokens = (expected: Expected, values: Readonly<Record<string, MakeToken>>): readonly Entry[] =>
  headers(
    expected,
    mapValues(values, (make) => (issuer) => `Bearer ${make(issuer)}`),
  );

/** Entries whose token is good but for these changes. */
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

/** Entries whose token is good but for this claim. */
export const claimed = (
  expected: Expected,
  claim: string,
  values: Readonly<Record<string, unknown>>,
): readonly Entry[] =>
  changed(
    expected,
    mapValues(values, (value): TokenChanges => ({ claims: { [claim]: value } })),
  );

/** Entries whose token is good but for this header parameter. */
export const headed = (
  expected: Expected,
  parameter: string,
  values: Readonly<Record<string, unknown>>,
): readonly Entry[] =>
  changed(
    expected,
    mapValues(values, (value): TokenChanges => ({ header: { [parameter]: value } })),
  );

/** The same entries, sent through each gateway as well. */
export const sent = (entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => ({ ...entry, sent: true }));

/** The same entries, with the key set in another state. */
export const whileKeySetIs = (keySet: KeySetState, entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => ({ ...entry, name: `${entry.name}, key set: ${keySet}`, keySet }));

const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));

/** The time in seconds since 1970, as tokens have it. */
export const now = (): number => Math.floor(Date.now() / 1000);
